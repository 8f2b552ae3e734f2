using System.Text;
using System.Text.RegularExpressions;
using ScalableTimers.Tests;

namespace Packages.Tests;

/// <summary>The content, metadata and dependencies of the packages.</summary>
public sealed partial class ContentTests(PackedPackages packages)
{
    /// <summary>Nothing else would notice a missing project.</summary>
    [Fact]
    public void Packages_AreThoseOfAllProjectsThatCanBePacked()
    {
        var expected = Projects("<IsPackable>false</IsPackable>", isThere: false);

        Assert.Equal(expected, packages.Packages.Select(static package => package.Id).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Packages_HoldAssemblyAndDocumentation() =>
        Assert.All(packages.Packages, static package => Assert.Equal(
            [$"lib/net10.0/{package.Id}.dll", $"lib/net10.0/{package.Id}.xml"],
            package.Files.Where(static file => file.StartsWith("lib/", StringComparison.Ordinal)).Order()));

    /// <summary>Only the core's package has them: a second copy would report each warning twice.</summary>
    [Fact]
    public void Analyzers_AreInTheCoresPackage()
    {
        var expected = Projects("<IsRoslynComponent>true</IsRoslynComponent>", isThere: true)
            .Select(static name => $"ScalableTimers: analyzers/dotnet/cs/{name}.dll");
        var found = from package in packages.Packages
                    from file in package.Files
                    where file.StartsWith("analyzers/", StringComparison.Ordinal)
                    orderby file
                    select $"{package.Id}: {file}";

        Assert.Equal(expected, found);
    }

    /// <summary>A package's page cannot follow links into a repository.</summary>
    [Fact]
    public void Readmes_AreOfTheirPackageAndHaveNoRelativeLink() =>
        Assert.All(packages.Packages, static package =>
        {
            var text = Encoding.UTF8.GetString(package.Content("README.md"));
            Assert.StartsWith($"# {package.Id}\n", text, StringComparison.Ordinal);
            Assert.All(
                Links.Matches(text).Select(static link => link.Groups["to"].Value),
                static to => Assert.StartsWith("https://", to, StringComparison.Ordinal));
        });

    [Fact]
    public async Task Packages_HaveMetadataAndSourceCommit()
    {
        var commit = (await Shell.Run(Repository.Root, "git rev-parse HEAD")).Trim();

        Assert.All(packages.Packages, package =>
        {
            Assert.Equal(packages.Version, package["version"]);
            Assert.Equal("MIT", package["license"]);
            Assert.Equal("README.md", package["readme"]);
            Assert.Equal("icon.png", package["icon"]);
            Assert.Equal(PackedPackages.RepositoryUrl, package["projectUrl"]);
            Assert.Equal(NewestChanges(), package["releaseNotes"]!.ReplaceLineEndings("\n"));
            var repository = package.Element("repository")!;
            Assert.Equal(PackedPackages.RepositoryUrl, repository.Attribute("url")!.Value);
            Assert.Equal(commit, repository.Attribute("commit")!.Value);
        });
        Assert.Distinct(packages.Packages.Select(static package => package["description"]));
    }

    /// <summary>They use each other's internals, so no other version works.</summary>
    [Fact]
    public void Packages_DependOnEachOtherInExactlyTheirVersion() =>
        Assert.All(
            packages.Packages.Where(static package => package.Id != "ScalableTimers"),
            package => Assert.Contains(
                $"{(package.Id == PackedPackages.Transactions ? PackedPackages.Plugin : "ScalableTimers")} "
                    + $"[{packages.Version}]",
                package.Dependencies));

    [Fact]
    public void Core_DependsOnAbstractionsAndOptionsOnly() =>
        Assert.All(
            packages.Of("ScalableTimers").Dependencies.Select(static dependency => dependency.Split(' ')[0]),
            static id => Assert.Matches(
                @"^Microsoft\.Extensions\.(.*\.Abstractions|Options(\.ConfigurationExtensions)?)$", id));

    /// <summary>Not on the reminders' package, of which only a constant is used.</summary>
    [Theory]
    [InlineData(PackedPackages.Plugin, "Microsoft.Orleans.Runtime")]
    [InlineData(PackedPackages.Transactions, "Microsoft.Orleans.Transactions")]
    public void Plugin_DependsOnOneOrleansPackage(string id, string asked)
    {
        var orleans = InstalledProgram.VersionOf("OldestOrleansVersion");

        Assert.Equal(
            [$"{asked} {orleans}"],
            packages.Of(id).Dependencies
                .Where(static dependency => dependency.StartsWith("Microsoft.", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal));
    }

    /// <summary>Checks texts and assemblies.</summary>
    [Fact]
    public void Packages_DoNotContainTheBuildPath()
    {
        var found = from package in packages.Packages
                    from file in package.Files
                    from encoding in new[] { Encoding.UTF8, Encoding.Unicode }
                    where package.Content(file).AsSpan().IndexOf(encoding.GetBytes(Repository.Root)) >= 0
                    select $"{package.Id}: {file}";

        Assert.Empty(found);
    }

    private static string NewestChanges() =>
        File.ReadAllText(Repository.Path("CHANGELOG.md")).Split("\n## ")[1].Insert(0, "## ").Trim();

    private static IEnumerable<string> Projects(string property, bool isThere) =>
        Directory.EnumerateFiles(Repository.Path("src"), "*.csproj", SearchOption.AllDirectories)
            .Where(project => File.ReadAllText(project).Contains(property, StringComparison.Ordinal) == isThere)
            .Select(static project => Path.GetFileNameWithoutExtension(project))
            .Order(StringComparer.Ordinal);

    [GeneratedRegex(@"\]\((?<to>[^)]+)\)")]
    private static partial Regex Links { get; }
}
