using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Tests;

/// <summary>
/// Runs a test again in a process of its own, for what concerns a whole process: its end, its pool, its handlers.
/// </summary>
internal static class Child
{
    private const string Variable = "SCALABLE_TIMERS_TEST_CHILD";

    // Longer than the waits of the child, which tell more.
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <summary>Runs a body in a process of its own, which must pass.</summary>
    /// <param name="kind">Tells apart the cases of a theory.</param>
    /// <param name="body">The body. It runs on the pool, as most of a program does.</param>
    /// <param name="test">The test.</param>
    internal static async Task Passes(string kind, Func<Task> body, [CallerMemberName] string test = "")
    {
        if (await Run(kind, body, test) is var (exitCode, output))
        {
            Assert.True(exitCode == 0, $"The child ended with {exitCode}:\n{output}");
        }
    }

    /// <summary>Runs a body in a process of its own.</summary>
    /// <returns>How the process ended and what it printed; in that process itself, null.</returns>
    internal static async Task<(int ExitCode, string Output)?> Run(
        string kind, Func<Task> body, [CallerMemberName] string test = "")
    {
        var wanted = Environment.GetEnvironmentVariable(Variable);
        if (wanted is null)
        {
            return await Start(kind, test);
        }

        if (wanted == kind)
        {
            await Task.Run(body);
        }

        return null;
    }

    private static async Task<(int ExitCode, string Output)> Start(string kind, string test)
    {
        var program = Environment.ProcessPath!;
        var isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        var start = new ProcessStartInfo(program)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { [Variable] = kind, ["DOTNET_DbgEnableMiniDump"] = "0" },
        };
        string[] host = isHost ? [typeof(Child).Assembly.Location] : [];
        string[] arguments =
            [.. host, "--filter-method", "*." + test, "--no-ansi", "--show-live-output", "on"];
        Array.ForEach(arguments, start.ArgumentList.Add);
        using var child = Process.Start(start)!;
        var output = child.StandardOutput.ReadToEndAsync();
        var errors = child.StandardError.ReadToEndAsync();
        try
        {
            await child.WaitForExitAsync().WaitAsync(s_limit);
        }
        catch (TimeoutException)
        {
            child.Kill();
            throw new TimeoutException($"The child did not end:\n{await output}{await errors}");
        }

        return (child.ExitCode, await output + await errors);
    }
}
