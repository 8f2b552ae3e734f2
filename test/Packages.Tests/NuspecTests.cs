using ScalableTimers.Tests;

namespace Packages.Tests;

/// <summary>What the packages say about themselves, and what they ask for.</summary>
public sealed class NuspecTests(PackedPackages packages)
{
    private static readonly char[] s_tagSeparators = [' ', ';'];

    /// <summary>A project that gets lost would otherwise not be missed.</summary>
    [Fact]
    public void Packages_AreThoseOfAllProjectsThatCanBePacked()
    {
        var expected = Directory.EnumerateFiles(Repository.Path("src"), "*.csproj", SearchOption.AllDirectories)
            .Where(static project =>
                !File.ReadAllText(project).Contains("<IsPackable>false</IsPackable>", StringComparison.Ordinal))
            .Select(static project => Path.GetFileNameWithoutExtension(project))
            .Where(static id => id != PackedPackages.Plugin || BuildOptions.UseOrleans)
            .Order(StringComparer.Ordinal)
            .ToList();

        Assert.Equal(expected, packages.Packages.Select(static package => package.Id).Order(StringComparer.Ordinal));
        Assert.Equal(expected, packages.Symbols.Select(static package => package.Id).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void Packages_HaveOneVersion() =>
        Assert.All(packages.Packages, package => Assert.Equal(packages.Version, package["version"]));

    [Fact]
    public void Packages_HaveLicenceReadmeIconAndTags() =>
        Assert.All(packages.Packages, static package =>
        {
            Assert.Equal("MIT", package["license"]);
            Assert.Equal("expression", package.Element("license")!.Attribute("type")!.Value);
            Assert.Equal("README.md", package["readme"]);
            Assert.Equal("icon.png", package["icon"]);
            Assert.Contains("timers", package["tags"]!.Split(s_tagSeparators));
            Assert.Equal(
                package.Id == PackedPackages.Plugin, package["tags"]!.Split(s_tagSeparators).Contains("orleans"));
            Assert.NotEqual("Package Description", package["description"]);
        });

    [Fact]
    public void Packages_HaveDescriptionsOfTheirOwn() =>
        Assert.Distinct(packages.Packages.Select(static package => package["description"]));

    [Fact]
    public async Task Packages_NameTheCommitAndTheRepository()
    {
        var commit = (await Shell.Run(Repository.Root, "git rev-parse HEAD")).Succeeded().Trim();

        Assert.All(packages.Packages, package =>
        {
            var repository = package.Element("repository")!;
            Assert.Equal("git", repository.Attribute("type")!.Value);
            Assert.Equal(PackedPackages.RepositoryUrl, repository.Attribute("url")!.Value);
            Assert.Equal(commit, repository.Attribute("commit")!.Value);
            Assert.Null(repository.Attribute("branch"));
        });
    }

    /// <summary>They use internals of each other, so no other version will do.</summary>
    [Fact]
    public void Packages_AskForExactlyTheirOwnVersionOfEachOther()
    {
        var ids = packages.Packages.Select(static package => package.Id).ToList();
        var asked = packages.Packages
            .SelectMany(static package => package.Dependencies)
            .Where(dependency => ids.Contains(dependency.Split(' ')[0]))
            .ToList();

        Assert.NotEmpty(asked);
        Assert.All(asked, dependency => Assert.Equal($"[{packages.Version}]", dependency.Split(' ')[1]));
        Assert.All(packages.Packages, package => Assert.Equal(
            File.ReadAllText(Repository.Path("src", package.Id, package.Id + ".csproj"))
                .Contains("/ScalableTimers.csproj\"", StringComparison.Ordinal),
            package.Dependencies.Contains($"ScalableTimers [{packages.Version}]")));
    }

    [Fact]
    public void Core_AsksForAbstractionsOnly() =>
        Assert.Equal(
            [
                "Microsoft.Extensions.DependencyInjection.Abstractions",
                "Microsoft.Extensions.Diagnostics.Abstractions",
                "Microsoft.Extensions.Hosting.Abstractions",
                "Microsoft.Extensions.Logging.Abstractions",
                "Microsoft.Extensions.Options",
            ],
            packages.Of("ScalableTimers").Dependencies.Select(static dependency => dependency.Split(' ')[0])
                .Order(StringComparer.Ordinal));

    [Fact]
    public void Testing_AsksForTheCoreOnly() =>
        Assert.Equal(
            [$"ScalableTimers [{packages.Version}]"], packages.Of("ScalableTimers.Testing").Dependencies);

    /// <summary>Reminders are not among them: only a constant of theirs is used.</summary>
    [Fact]
    public void Plugin_AsksForRuntimeAndTransactionsOfOneVersion()
    {
        var dependencies = packages.PluginOrSkip().Dependencies
            .Where(static dependency => dependency.StartsWith("Microsoft.", StringComparison.Ordinal))
            .Select(static dependency => dependency.Split(' '))
            .ToList();

        Assert.Equal(
            ["Microsoft.Orleans.Runtime", "Microsoft.Orleans.Transactions"],
            dependencies.Select(static dependency => dependency[0]).Order(StringComparer.Ordinal));
        var version = Assert.Single(dependencies.Select(static dependency => dependency[1]).Distinct());
        Assert.True(
            version == BuildOptions.OrleansOldestVersion
                || packages.Output.Contains(
                    $"For tests: the plugin asks for Orleans {version}", StringComparison.Ordinal),
            $"It asks for Orleans {version}.");
    }

    /// <summary>NuGet withholds analyzers of a dependency unless the package asks for them.</summary>
    [Fact]
    public void Plugin_BringsTheAnalyzersOfTheCore() =>
        Assert.DoesNotContain(
            "Analyzers",
            packages.PluginOrSkip().Metadata.Descendants()
                .Single(static e => e.Attribute("id")?.Value == "ScalableTimers").Attribute("exclude")?.Value ?? "",
            StringComparison.Ordinal);
}
