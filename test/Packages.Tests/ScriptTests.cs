using ScalableTimers.Tests;

namespace Packages.Tests;

/// <summary>
/// What eng/pack.sh does on unusual machines. In place of the SDK, a script says what it is asked for.
/// </summary>
public sealed class ScriptTests : IDisposable
{
    private const string Sdk =
        """
        #!/usr/bin/env bash
        case $* in
          *-t:ChooseOrleans*) echo 'off (a test)' ;;
          *-getProperty:Version*) echo 0.0.1-test.script ;;
          'nuget locals'*) echo "global-packages: $COPIES/" ;;
          *-t:PackOrSayWhyNot*)
            echo "$*"
            touch "$FEED/$(basename "$2" .csproj).0.0.1-test.script.nupkg"
            ;;
        esac
        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("packages-tests-");

    private string Feed => Path.Combine(_folder.FullName, "feed");

    private string Copies => Path.Combine(_folder.FullName, "copies");

    public void Dispose()
    {
        _folder.Delete(recursive: true);
        var artifacts = Repository.Path("artifacts", "pack", "0.0.1-test.script");
        if (Directory.Exists(artifacts))
        {
            Directory.Delete(artifacts, recursive: true);
        }
    }

    /// <summary>As from an archive of the sources.</summary>
    [Fact]
    public async Task Pack_WithoutGit_TakesTheVersionOfTheSourcesAndSaysThatNoCommitIsNamed()
    {
        var output = (await Pack(("GIT_DIR", _folder.FullName))).Succeeded();

        Assert.Contains("-p:Version=0.0.1-test.script", output, StringComparison.Ordinal);
        Assert.Contains("The packages name no commit.", output, StringComparison.Ordinal);
        Assert.DoesNotContain("NuGet has copies", output, StringComparison.Ordinal);
    }

    /// <summary>Otherwise a program goes on with the packages of an earlier commit, and nothing tells.</summary>
    [Fact]
    public async Task Pack_VersionThatNuGetHasCopied_NamesTheCopies()
    {
        var copy = Directory.CreateDirectory(Path.Combine(Copies, "scalabletimers", "0.0.1-test.script"));

        var output = (await Pack(("GIT_DIR", null))).Succeeded();

        Assert.EndsWith($"--version:\n  {copy.FullName}", output.TrimEnd(), StringComparison.Ordinal);
    }

    /// <summary>In another repository's eyes all files are changes, so the script ends with the tag's name.</summary>
    [Fact]
    public async Task Pack_ReleaseAndItsCandidateAreTheSameCommit_TakesTheRelease()
    {
        const string Tags = "git init -q . "
            + "&& git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m a "
            + "&& git tag v1.0.0 && git tag v1.0.0-rc.1 && git tag v0.9.0";
        var clone = _folder.CreateSubdirectory("clone");
        (await Shell.Run(clone.FullName, Tags)).Succeeded();

        var output = (await Pack(("GIT_DIR", Path.Combine(clone.FullName, ".git")))).Failed();

        Assert.Contains("HEAD has the tag v1.0.0, but", output, StringComparison.Ordinal);
    }

    private async Task<ShellResult> Pack((string, string?) git)
    {
        var sdk = Path.Combine(_folder.FullName, "dotnet");
        await File.WriteAllTextAsync(sdk, Sdk);
        return await Shell.Run(
            Repository.Root,
            $"chmod +x '{sdk}' && PATH='{_folder.FullName}':$PATH eng/pack.sh '{Feed}'",
            ("FEED", Feed),
            ("COPIES", Copies),
            git);
    }
}
