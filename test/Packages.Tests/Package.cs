using System.IO.Compression;
using System.Xml.Linq;

namespace Packages.Tests;

/// <summary>A package in a folder.</summary>
internal sealed class Package
{
    private readonly Dictionary<string, byte[]> _files;

    internal Package(string file)
    {
        using var zip = ZipFile.OpenRead(file);
        _files = zip.Entries.ToDictionary(static entry => entry.FullName, Read, StringComparer.Ordinal);
        Times = [.. zip.Entries.Select(static entry => entry.LastWriteTime.DateTime)];
        Name = Path.GetFileName(file);
        using var nuspec = new MemoryStream(
            _files.Single(static file => file.Key.EndsWith(".nuspec", StringComparison.Ordinal)).Value);
        Metadata = XDocument.Load(nuspec).Root!.Elements().Single(static e => e.Name.LocalName == "metadata");
        Id = this["id"]!;
    }

    internal string Name { get; }

    internal string Id { get; }

    internal XElement Metadata { get; }

    /// <summary>When each file was last written, in no particular time zone.</summary>
    internal IReadOnlyList<DateTime> Times { get; }

    internal IEnumerable<string> Files => _files.Keys;

    /// <summary>All dependencies as "id version".</summary>
    internal IEnumerable<string> Dependencies =>
        Metadata.Descendants().Where(static e => e.Name.LocalName == "dependency")
            .Select(static e => $"{e.Attribute("id")!.Value} {e.Attribute("version")!.Value}");

    /// <summary>What an element of the metadata says; null without it.</summary>
    internal string? this[string element] => Element(element)?.Value;

    internal XElement? Element(string name) =>
        Metadata.Elements().SingleOrDefault(e => e.Name.LocalName == name);

    internal byte[] Content(string file) => _files[file];

    private static byte[] Read(ZipArchiveEntry entry)
    {
        using var stream = entry.Open();
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }
}
