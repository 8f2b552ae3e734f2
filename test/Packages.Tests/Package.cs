using System.IO.Compression;
using System.Xml.Linq;

namespace Packages.Tests;

/// <summary>A package in a folder.</summary>
internal sealed class Package
{
    private readonly Dictionary<string, byte[]> _files;
    private readonly XElement _metadata;

    internal Package(string file)
    {
        using var zip = ZipFile.OpenRead(file);
        _files = zip.Entries.ToDictionary(static entry => entry.FullName, Read, StringComparer.Ordinal);
        using var nuspec = new MemoryStream(
            _files.Single(static file => file.Key.EndsWith(".nuspec", StringComparison.Ordinal)).Value);
        _metadata = XDocument.Load(nuspec).Root!.Elements().Single(static e => e.Name.LocalName == "metadata");
    }

    internal string Id => this["id"]!;

    internal IEnumerable<string> Files => _files.Keys;

    /// <summary>All dependencies as "id version".</summary>
    internal IEnumerable<string> Dependencies =>
        _metadata.Descendants().Where(static e => e.Name.LocalName == "dependency")
            .Select(static e => $"{e.Attribute("id")!.Value} {e.Attribute("version")!.Value}");

    /// <summary>The value of a metadata element; null if absent.</summary>
    internal string? this[string element] => Element(element)?.Value;

    internal XElement? Element(string name) =>
        _metadata.Elements().SingleOrDefault(e => e.Name.LocalName == name);

    internal byte[] Content(string file) => _files[file];

    private static byte[] Read(ZipArchiveEntry entry)
    {
        using var stream = entry.Open();
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }
}
