using System.Buffers.Binary;
using System.Globalization;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;
using System.Text.RegularExpressions;
using ScalableTimers.Tests;

namespace Packages.Tests;

/// <summary>The files in the packages.</summary>
public sealed partial class ContentTests(PackedPackages packages)
{
    private static readonly Guid s_sourceLink = new("CC110556-A091-4D38-9FEC-25AB9A351A6A");

    [Fact]
    public void Packages_HoldAssemblyDocumentationReadmeAndIcon() =>
        Assert.All(packages.Packages, static package =>
        {
            string[] expected =
            [
                "README.md", "icon.png", $"lib/net10.0/{package.Id}.dll", $"lib/net10.0/{package.Id}.xml",
            ];
            var ofOurs = package.Files.Where(static file =>
                !file.EndsWith(".nuspec", StringComparison.Ordinal)
                    && !file.StartsWith("_rels/", StringComparison.Ordinal)
                    && !file.StartsWith("package/", StringComparison.Ordinal)
                    && !file.StartsWith("_manifest/", StringComparison.Ordinal)
                    && !file.StartsWith("analyzers/dotnet/cs/", StringComparison.Ordinal)
                    && file != "[Content_Types].xml");
            Assert.Equal(expected.Order(StringComparer.Ordinal), ofOurs.Order(StringComparer.Ordinal));
        });

    /// <summary>They go with the core's package alone: with a second one each warning would be given twice.</summary>
    [Fact]
    public void Analyzers_AreInTheCoresPackage()
    {
        var expected = Directory.EnumerateFiles(Repository.Path("src"), "*.csproj", SearchOption.AllDirectories)
            .Where(static project => File.ReadAllText(project)
                .Contains("<IsRoslynComponent>true</IsRoslynComponent>", StringComparison.Ordinal))
            .Select(static project => Path.GetFileNameWithoutExtension(project))
            .Order(StringComparer.Ordinal)
            .Select(static name => $"ScalableTimers: analyzers/dotnet/cs/{name}.dll")
            .ToList();
        Assert.SkipWhen(expected.Count == 0, "There are no analyzers yet.");

        var found = from package in packages.Packages
                    from file in package.Files
                    where file.StartsWith("analyzers/", StringComparison.Ordinal)
                    orderby file
                    select $"{package.Id}: {file}";

        Assert.Equal(expected, found);
    }

    [Fact]
    public void Icon_IsSmallAndSquare() =>
        Assert.All(packages.Packages, static package =>
        {
            var icon = package.Content("icon.png");
            Assert.InRange(icon.Length, 100, 20_000);
            Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(16)));
            Assert.Equal(128, BinaryPrimitives.ReadInt32BigEndian(icon.AsSpan(20)));
        });

    /// <summary>The page of a package cannot follow links into a repository.</summary>
    [Fact]
    public void Readmes_AreOfTheirPackageAndHaveNoRelativeLink() =>
        Assert.All(packages.Packages, static package =>
        {
            var text = Encoding.UTF8.GetString(package.Content("README.md"));
            Assert.StartsWith($"# {package.Id}\n", text, StringComparison.Ordinal);
            Assert.Contains($"dotnet add package {package.Id}", text, StringComparison.Ordinal);
            Assert.All(
                Links.Matches(text).Select(static link => link.Groups["to"].Value),
                static to => Assert.StartsWith("https://", to, StringComparison.Ordinal));
        });

    [Fact]
    public void Assemblies_AreDeterministic() =>
        Assert.All(packages.Packages, static package =>
        {
            using var assembly = new PEReader(new MemoryStream(package.Content($"lib/net10.0/{package.Id}.dll")));
            Assert.Contains(
                assembly.ReadDebugDirectory(), static entry => entry.Type == DebugDirectoryEntryType.Reproducible);
        });

    /// <summary>So that the same commit gives the same packages.</summary>
    [Fact]
    public async Task Files_HaveTheTimeOfTheCommit()
    {
        var seconds = (await Shell.Run(Repository.Root, "git log -1 --format=%ct")).Succeeded();
        var time = DateTimeOffset.FromUnixTimeSeconds(long.Parse(seconds, CultureInfo.InvariantCulture));

        // A zip file counts in steps of two seconds.
        Assert.All(
            packages.Packages.Concat(packages.Symbols).SelectMany(static package => package.Times),
            found => Assert.InRange(found - time.UtcDateTime, TimeSpan.FromSeconds(-2), TimeSpan.FromSeconds(2)));
    }

    [Fact]
    public async Task Symbols_LeadToTheSourcesOfTheCommit()
    {
        var commit = (await Shell.Run(Repository.Root, "git rev-parse HEAD")).Succeeded().Trim();

        Assert.All(packages.Symbols, package => Read(package, symbols =>
        {
            var link = symbols.CustomDebugInformation.Select(symbols.GetCustomDebugInformation)
                .Where(information => symbols.GetGuid(information.Kind) == s_sourceLink)
                .Select(information => Encoding.UTF8.GetString(symbols.GetBlobBytes(information.Value)))
                .Single();
            Assert.Contains("raw.githubusercontent.com/example/example/" + commit, link, StringComparison.Ordinal);
        }));
    }

    [Fact]
    public void Symbols_AreThoseOfTheAssemblies() =>
        Assert.All(packages.Symbols, symbols => Read(symbols, reader =>
        {
            using var assembly = new PEReader(
                new MemoryStream(packages.Of(symbols.Id).Content($"lib/net10.0/{symbols.Id}.dll")));
            var entry = assembly.ReadDebugDirectory()
                .Single(static entry => entry.Type == DebugDirectoryEntryType.CodeView);
            Assert.Equal(
                assembly.ReadCodeViewDebugDirectoryData(entry).Guid,
                new BlobContentId(reader.DebugMetadataHeader!.Id).Guid);
        }));

    /// <summary>Neither in texts nor in assemblies and symbols.</summary>
    [Fact]
    public void Nothing_TellsWhereItWasBuilt()
    {
        string[] places = [Repository.Root, Path.GetTempPath() + "packages-tests-"];
        var found = from package in packages.Packages.Concat(packages.Symbols)
                    from file in package.Files
                    from place in places
                    from bytes in new[] { Encoding.UTF8.GetBytes(place), Encoding.Unicode.GetBytes(place) }
                    where package.Content(file).AsSpan().IndexOf(bytes) >= 0
                    select $"{package.Name}: {file} holds {place}";

        Assert.Empty(found);
        Assert.All(packages.Symbols, static package => Read(package, static symbols =>
            Assert.All(
                symbols.Documents.Select(document => symbols.GetString(symbols.GetDocument(document).Name)),
                static path => Assert.StartsWith("/_", path, StringComparison.Ordinal))));
    }

    private static void Read(Package package, Action<MetadataReader> read)
    {
        using var provider = MetadataReaderProvider.FromPortablePdbStream(
            new MemoryStream(package.Content($"lib/net10.0/{package.Id}.pdb")));
        read(provider.GetMetadataReader());
    }

    [GeneratedRegex(@"\]\((?<to>[^)]+)\)")]
    private static partial Regex Links { get; }
}
