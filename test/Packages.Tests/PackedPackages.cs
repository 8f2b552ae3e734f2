using System.Globalization;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Packages.Tests;
using ScalableTimers.Tests;

[assembly: AssemblyFixture(typeof(PackedPackages))]

namespace Packages.Tests;

/// <summary>
/// The packages of this source tree, packed once for all tests with README's command, in a home of their own.
/// </summary>
/// <remarks>
/// The home isolates sources and packages from the machine's. It starts with the machine's sources, and takes
/// packages that the machine already has from the machine's folder.
/// </remarks>
public sealed partial class PackedPackages : IAsyncLifetime
{
    internal const string Plugin = "Orleans.Timers.Scalable";
    internal const string Transactions = Plugin + ".Transactions";

    /// <summary>A made-up address, so that the tests do not depend on where this clone comes from.</summary>
    internal const string RepositoryUrl = "https://github.com/example/example";

    private readonly DirectoryInfo _home = Directory.CreateTempSubdirectory("packages-tests-");
    private List<Package> _packages = [];

    /// <summary>A version that no other run has, later than any published one.</summary>
    internal string Version { get; } =
        "999.0.0-test." + DateTime.UtcNow.ToString("yyyyMMddHHmmssfff", CultureInfo.InvariantCulture);

    internal IReadOnlyList<Package> Packages => _packages;

    private string Feed => Path.Combine(_home.FullName, "packages");

    public async ValueTask InitializeAsync()
    {
        const string List = "dotnet nuget locals global-packages --list --force-english-output";
        var usual = (await Shell.Run(Repository.Root, List)).Split(": ")[1].Trim();
        CopySources();
        var fallback = new XElement("fallbackPackageFolders", Directory.Exists(usual) ? Add("usual", usual) : null);
        new XElement("configuration", fallback).Save(Path.Combine(_home.FullName, "nuget.config"));

        var line = PackingLine.Match(await File.ReadAllTextAsync(Repository.Path("README.md"))).Value;

        // The SDK leaves empty folders where TMPDIR points to.
        await Shell.Run(
            Repository.Root,
            line,
            ("HOME", _home.FullName),
            ("TMPDIR", _home.FullName),
            ("NUGET_PACKAGES", usual),
            ("MinVerVersionOverride", Version),
            ("RepositoryUrl", RepositoryUrl));
        _packages = [.. Directory.EnumerateFiles(Feed, "*.nupkg").Order().Select(static file => new Package(file))];

        static XElement Add(string key, string value) =>
            new("add", new XAttribute("key", key), new XAttribute("value", value));
    }

    public ValueTask DisposeAsync()
    {
        _home.Delete(recursive: true);
        return ValueTask.CompletedTask;
    }

    internal Package Of(string id) => _packages.Single(package => package.Id == id);

    /// <summary>Creates a program outside the repository.</summary>
    internal async Task<InstalledProgram> Create(string name)
    {
        var folder = _home.CreateSubdirectory(name + "-" + Path.GetRandomFileName()).CreateSubdirectory(name);
        var program = new InstalledProgram(
            folder.FullName,
            name,
            ("HOME", _home.FullName),
            ("TMPDIR", _home.FullName),
            ("NUGET_PACKAGES", Path.Combine(_home.FullName, "installed")));
        await program.Run("dotnet new console --no-restore");
        foreach (var file in Directory.EnumerateFiles(Repository.Path("test", "Packages.Tests", "Programs", name)))
        {
            File.Copy(file, Path.Combine(folder.FullName, Path.GetFileName(file)), overwrite: true);
        }

        return program;
    }

    private void CopySources()
    {
        var users = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        var from = new FileInfo(Path.Combine(users, ".nuget", "NuGet", "NuGet.Config"));
        if (from.Exists)
        {
            var to = _home.CreateSubdirectory(".nuget").CreateSubdirectory("NuGet");
            from.CopyTo(Path.Combine(to.FullName, from.Name));
        }
    }

    /// <summary>It packs into ~/packages, and makes that folder a source.</summary>
    [GeneratedRegex(@"^eng/pack\.sh ~/packages .*$", RegexOptions.Multiline)]
    private static partial Regex PackingLine { get; }
}
