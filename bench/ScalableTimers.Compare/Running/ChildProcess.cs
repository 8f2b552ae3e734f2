using System.Diagnostics;

namespace ScalableTimers.Compare.Running;

/// <summary>Runs this program once more, so that a measurement has a process of its own.</summary>
internal static class ChildProcess
{
    /// <summary>Starts a child, empties its console and waits for its end.</summary>
    /// <param name="arguments">What tells the child that it is one, and what to do.</param>
    /// <param name="isServerGC">
    /// Whether the child has the server garbage collector; null to have what this process was told to have.
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
