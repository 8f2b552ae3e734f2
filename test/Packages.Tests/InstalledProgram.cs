namespace Packages.Tests;

/// <summary>A program that has the packages and nothing else of the repository.</summary>
internal sealed class InstalledProgram(string folder, string name, (string Name, string? Value)[] variables)
{
    internal string Folder => folder;

    /// <summary>Restores and builds it with the commands that its author would use.</summary>
    internal async Task Build() => (await Run("dotnet build -c Release -o out -tl:off")).Succeeded();

    /// <summary>Runs what <see cref="Build"/> has built.</summary>
    internal Task<ShellResult> Start(params (string Name, string? Value)[] settings) =>
        Run($"timeout -s KILL 120 dotnet 'out/{name}.dll'", settings);

    /// <summary>Publishes it for this machine; a test is skipped if that needs what cannot be had.</summary>
    /// <param name="options">How.</param>
    /// <param name="needs">Packages of .NET's own tools that not every feed has.</param>
    internal async Task Publish(string options, params string[] needs)
    {
        var result = await Run(
            "dotnet publish -c Release -o out -tl:off --use-current-runtime -p:TrimmerSingleWarn=false " + options);
        var missing = needs.FirstOrDefault(
            need => result.Output.Contains("error NU110", StringComparison.Ordinal)
                && result.Output.Contains(need, StringComparison.OrdinalIgnoreCase));
        Assert.SkipWhen(missing is not null, $"{missing} cannot be restored here.");
        Assert.SkipWhen(
            result.Output.Contains("error : Platform linker", StringComparison.Ordinal),
            "The compiler ahead of time has no linker here.");
        var output = result.Succeeded();
        Assert.DoesNotContain("warning", output, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Runs what <see cref="Publish"/> has published.</summary>
    internal Task<ShellResult> StartPublished() => Run($"timeout -s KILL 120 out/{name}");

    private Task<ShellResult> Run(string command, params (string Name, string? Value)[] settings) =>
        Shell.Run(folder, command, [.. variables, .. settings]);
}
