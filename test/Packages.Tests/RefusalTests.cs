using ScalableTimers.Tests;

namespace Packages.Tests;

/// <summary>When no package may come out.</summary>
public sealed class RefusalTests(PackedPackages packages)
{
    private const string PluginProject = "src/Orleans.Timers.Scalable/Orleans.Timers.Scalable.csproj";

    /// <summary>
    /// The plugin as it has been built for the packages, but with another oldest version than the one that it has been
    /// compiled against.
    /// </summary>
    [Fact]
    public async Task Pack_PluginIsCompiledAgainstAnotherOrleans_Refuses()
    {
        packages.PluginOrSkip();
        var folder = Directory.CreateTempSubdirectory();

        var output = (await Pack("", folder, ("Orleans", "on"), ("OrleansOldestVersion", "10.0.9"))).Failed();

        Assert.Contains("it would ask for Orleans 10.0.9, but is compiled against", output, StringComparison.Ordinal);
        Assert.Empty(folder.EnumerateFiles());
        folder.Delete();
    }

    [Fact]
    public async Task Pack_PluginWithoutOrleans_Refuses()
    {
        var folder = Directory.CreateTempSubdirectory();

        var output = (await Pack("", folder, ("Orleans", "off"))).Failed();

        Assert.Contains("without Orleans it is empty", output, StringComparison.Ordinal);
        Assert.Empty(folder.EnumerateFiles());
        folder.Delete();
    }

    /// <summary>What eng/pack.sh does with each project.</summary>
    [Fact]
    public async Task PackOrSayWhyNot_PluginWithoutOrleans_SaysThatItIsLeftOut()
    {
        var folder = Directory.CreateTempSubdirectory();

        var output = (await Pack("-t:PackOrSayWhyNot", folder, ("Orleans", "off"))).Succeeded();

        Assert.Contains(
            "Orleans.Timers.Scalable is left out: without Orleans it is empty", output, StringComparison.Ordinal);
        Assert.Empty(folder.EnumerateFiles());
        folder.Delete();
    }

    [Fact]
    public void Script_WithoutOrleans_SaysThatThePluginIsLeftOut()
    {
        Assert.SkipWhen(BuildOptions.UseOrleans, "Orleans is here.");

        Assert.Contains("Orleans.Timers.Scalable is left out", packages.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("--version 1.2 FOLDER")]
    [InlineData("--version latest FOLDER")]
    [InlineData("--repository /home/me/clone FOLDER")]
    [InlineData("--unknown FOLDER")]
    public async Task Script_WrongArguments_PacksNothing(string arguments)
    {
        var folder = Directory.CreateTempSubdirectory();
        var command = "eng/pack.sh " + arguments.Replace("FOLDER", folder.FullName, StringComparison.Ordinal);

        (await Shell.Run(Repository.Root, command, ("Orleans", "off"))).Failed();

        Assert.Empty(folder.EnumerateFiles());
        folder.Delete();
    }

    private Task<ShellResult> Pack(string target, DirectoryInfo folder, params (string, string?)[] variables) =>
        Shell.Run(
            Repository.Root,
            $"dotnet msbuild {PluginProject} -nologo -tl:off -p:Configuration=Release -p:NoBuild=true "
                + $"{(target.Length == 0 ? "-t:Pack" : target)} '-p:ArtifactsPath={packages.BuildFolder}' "
                + $"'-p:Version={packages.Version}' '-p:PackageOutputPath={folder.FullName}'",
            variables);
}
