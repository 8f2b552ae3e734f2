using System.Diagnostics;

namespace Packages.Tests;

/// <summary>Runs a command to its end.</summary>
internal static class Shell
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10);

    /// <summary>Runs lines of bash, and returns what they print.</summary>
    /// <param name="folder">The working directory.</param>
    /// <param name="command">The lines.</param>
    /// <param name="variables">The environment variables to set.</param>
    internal static async Task<string> Run(
        string folder, string command, params IEnumerable<(string Name, string Value)> variables)
    {
        // Into a file, because a compiler that stays behind as a server would keep a pipe open.
        var log = Path.Combine(Path.GetTempPath(), Path.GetRandomFileName());
        var start = new ProcessStartInfo("bash", ["-c", $"set -e; exec > '{log}' 2>&1\n{command}"])
        {
            WorkingDirectory = folder,
        };

        // `dotnet test` sets variables for its own build.
        foreach (var name in start.Environment.Keys.Where(
            static name => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase)).ToList())
        {
            start.Environment.Remove(name);
        }

        start.Environment["DOTNET_CLI_UI_LANGUAGE"] = "en";
        start.Environment["DOTNET_NOLOGO"] = "1";
        start.Environment["DOTNET_GENERATE_ASPNET_CERTIFICATE"] = "false";
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        foreach (var (name, value) in variables)
        {
            start.Environment[name] = value;
        }

        using var process = Process.Start(start)!;
        using var limit = new CancellationTokenSource(s_limit);
        try
        {
            await process.WaitForExitAsync(limit.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"\"{command}\" did not end within {s_limit}.\n{await File.ReadAllTextAsync(log)}");
        }

        var output = await File.ReadAllTextAsync(log);
        File.Delete(log);
        Assert.True(process.ExitCode == 0, $"\"{command}\" ended with {process.ExitCode}.\n{output}");
        return output;
    }
}
