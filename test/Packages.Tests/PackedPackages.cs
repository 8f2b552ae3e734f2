using System.Globalization;
using System.Xml.Linq;
using Packages.Tests;
using ScalableTimers.Tests;

[assembly: AssemblyFixture(typeof(PackedPackages))]

namespace Packages.Tests;

/// <summary>
/// The packages of this source tree, packed once for all tests, and a place outside of it where programs install them.
/// </summary>
/// <remarks>
/// The programs restore into a packages folder of their own, so that the machine's does not fill up with versions that
/// nobody needs again. What that one has already is taken from there, and nothing is downloaded twice.
/// </remarks>
public sealed class PackedPackages : IAsyncLifetime
{
    internal const string Plugin = "Orleans.Timers.Scalable";

    /// <summary>A made-up address, so that the tests do not depend on where this clone comes from.</summary>
    internal const string RepositoryUrl = "https://github.com/example/example";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("packages-tests-");
    private List<Package> _packages = [];
    private List<Package> _symbols = [];

    /// <summary>A version that no other run has.</summary>
    internal string Version { get; } =
        "0.0.1-test." + DateTime.UtcNow.ToString("yyyyMMddHHmmssfff", CultureInfo.InvariantCulture);

    /// <summary>What eng/pack.sh has printed.</summary>
    internal string Output { get; private set; } = "";

    internal IReadOnlyList<Package> Packages => _packages;

    internal IReadOnlyList<Package> Symbols => _symbols;

    /// <summary>What the builds of the packages have left, for others that go on from there.</summary>
    internal string BuildFolder => Repository.Path("artifacts", "pack", Version);

    private string Feed => Path.Combine(_folder.FullName, "feed");

    public async ValueTask InitializeAsync()
    {
        Output = (await Pack()).Succeeded();
        _packages = [.. Open("*.nupkg")];
        _symbols = [.. Open("*.snupkg")];
        await WriteNuGetConfig();
    }

    public ValueTask DisposeAsync()
    {
        _folder.Delete(recursive: true);
        if (Directory.Exists(BuildFolder))
        {
            Directory.Delete(BuildFolder, recursive: true);
        }

        return ValueTask.CompletedTask;
    }

    internal Package Of(string id) => _packages.Single(package => package.Id == id);

    /// <summary>The plugin's package; a test is skipped where there is none.</summary>
    internal Package PluginOrSkip()
    {
        Assert.SkipUnless(BuildOptions.UseOrleans, "Orleans cannot be restored here.");
        return Of(Plugin);
    }

    /// <summary>Copies a program out of the repository, where nothing of the repository has an influence.</summary>
    internal InstalledProgram Install(string program)
    {
        var folder = _folder.CreateSubdirectory(Path.GetRandomFileName());
        foreach (var file in Directory.EnumerateFiles(Repository.Path("test", "Packages.Tests", "Programs", program)))
        {
            File.Copy(file, Path.Combine(folder.FullName, Path.GetFileName(file)));
        }

        return new InstalledProgram(
            folder.FullName,
            program,
            [
                ("NUGET_PACKAGES", Path.Combine(_folder.FullName, "packages")),
                ("PackedVersion", Version),
                ("PackedPackages", string.Join(';', _packages.Select(static p => p.Id).Where(static p => p != Plugin))),
                ("HostingVersion", VersionOf("Microsoft.Extensions.Hosting")),
                ("OrleansVersion", BuildOptions.OrleansVersion),
                ("OrleansFeed", BuildOptions.OrleansFeed),
            ]);
    }

    private async Task<ShellResult> Pack() =>
        await Shell.Run(
            Repository.Root,
            $"eng/pack.sh --any-orleans --version '{Version}' --repository {RepositoryUrl} '{Feed}'",
            ("Orleans", BuildOptions.UseOrleans ? "on" : "off"),
            ("OrleansOldestVersion", BuildOptions.OrleansOldestVersion),
            ("OrleansFeed", BuildOptions.OrleansFeed));

    private IEnumerable<Package> Open(string pattern) =>
        Directory.EnumerateFiles(Feed, pattern).Order(StringComparer.Ordinal).Select(static file => new Package(file));

    private async Task WriteNuGetConfig()
    {
        // The sources of the machine remain, because this file adds to the user's.
        var usual = (await Shell.Run(Repository.Root, "dotnet nuget locals global-packages --list")).Succeeded();
        usual = usual[(usual.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim();
        new XElement(
            "configuration",
            new XElement("packageSources", Add("packed", Feed)),
            new XElement("fallbackPackageFolders", Directory.Exists(usual) ? Add("usual", usual) : null))
            .Save(Path.Combine(_folder.FullName, "nuget.config"));

        static XElement Add(string key, string value) =>
            new("add", new XAttribute("key", key), new XAttribute("value", value));
    }

    private static string VersionOf(string package) =>
        XDocument.Load(Repository.Path("Directory.Packages.props")).Descendants("PackageVersion")
            .Single(version => version.Attribute("Include")!.Value == package)
            .Attribute("Version")!.Value;
}
