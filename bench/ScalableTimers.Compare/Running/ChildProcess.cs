using System.Diagnostics;

namespace ScalableTimers.Compare.Running;

/// <summary>Runs this program in another process, so that a measurement has its own process.</summary>
internal static class ChildProcess
{
    /// <summary>Starts a child, reads its console and waits for its end.</summary>
    /// <param name="arguments">Arguments that mark the child as one and tell it what to do.</param>
    /// <param name="isServerGC">
    /// Whether the child uses the server garbage collector; null to use the setting of this process.
    /// </param>
    /// <returns>The last line that it wrote.</returns>
    internal static string Run(string[] arguments, bool? isServerGC = null)
    {
        var program = Environment.ProcessPath!;
        var assembly = typeof(ChildProcess).Assembly.Location;
        var isHost = Path.GetFileNameWithoutExtension(program) != Path.GetFileNameWithoutExtension(assembly);
        var start = new ProcessStartInfo(program, isHost ? [assembly, .. arguments] : arguments)
        {
            RedirectStandardOutput = true,
        };
        if (isServerGC is { } isServer)
        {
            start.Environment["DOTNET_gcServer"] = isServer ? "1" : "0";
        }

        using var child = Process.Start(start)!;
        string? last = null;
        while (child.StandardOutput.ReadLine() is { } line)
        {
            last = line;
        }

        child.WaitForExit();
        return child.ExitCode == 0 && last is not null
            ? last
            : throw new InvalidOperationException(
                $"The process for {string.Join(' ', arguments)} ended with {child.ExitCode}: {last}");
    }
}
