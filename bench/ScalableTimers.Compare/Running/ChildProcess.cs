using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace ScalableTimers.Compare.Running;

/// <summary>Runs a round in another process, whose threads, memory and static state are its own.</summary>
/// <remarks>The child's console is a pipe that the parent empties. Its last line is the measurement.</remarks>
internal static class ChildProcess
{
    private const string Argument = "--child";

    // NaN stands for a meaningless figure.
    private static readonly JsonSerializerOptions s_json = new()
    {
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    internal static Measurement Run(Workload workload, Contestant contestant, Scale scale)
    {
        var divisor = scale.Divisor.ToString(CultureInfo.InvariantCulture);
        var start = new ProcessStartInfo(
            Environment.ProcessPath!,
            [Environment.GetCommandLineArgs()[0], Argument, workload.Name, contestant.Name, divisor])
        {
            RedirectStandardOutput = true,
        };
        using var child = Process.Start(start)!;
        string? last = null;
        while (child.StandardOutput.ReadLine() is { } line)
        {
            last = line;
        }

        child.WaitForExit();
        return child.ExitCode == 0 && last is not null
            ? JsonSerializer.Deserialize<Measurement>(last, s_json)!
            : throw new InvalidOperationException(
                $"The process for {workload.Name}, {contestant.Name} ended with {child.ExitCode}: {last}");
    }

    /// <summary>Runs the round and exits, if this process is a child.</summary>
    internal static void RunIfChild(string[] arguments, IReadOnlyList<Workload> workloads)
    {
        if (arguments is not [Argument, var name, var contestant, var divisor])
        {
            return;
        }

        var scale = new Scale(Rounds: 1, int.Parse(divisor, CultureInfo.InvariantCulture));
        var measured = workloads.Single(workload => workload.Name == name).Contestants(scale)
            .Single(one => one.Name == contestant)
            .Run();

        // Callbacks may still print, and the measurement must be the last line.
        lock (Console.Out)
        {
            Console.Out.WriteLine(JsonSerializer.Serialize(measured, s_json));
            Console.Out.Flush();
            Environment.Exit(0);
        }
    }
}
