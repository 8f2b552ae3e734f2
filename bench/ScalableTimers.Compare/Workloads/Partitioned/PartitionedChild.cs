using System.Diagnostics;
using System.Globalization;
using System.Runtime;
using System.Text.Json;
using System.Text.Json.Serialization;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>
/// A run of <see cref="CreateThenDispose"/> in its own process, because a process has one garbage collector.
/// </summary>
internal static class PartitionedChild
{
    private const string Argument = "--partitioned-child";
    private const int OperationsPerCall = 1000;
    private static readonly TimeSpan s_warmUp = TimeSpan.FromMilliseconds(600);

    // Values that were not measured are NaN.
    private static readonly JsonSerializerOptions s_json = new()
    {
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    /// <summary>Starts a child and waits for its measurement.</summary>
    internal static Measurement Run(
        PartitionedKind kind, bool yields, bool isServerGC, int threads, int operationsPerThread) =>
        JsonSerializer.Deserialize<Measurement>(
            ChildProcess.Run(
                [Argument, $"{kind}", $"{yields}", $"{isServerGC}", $"{threads}", $"{operationsPerThread}"],
                isServerGC),
            s_json)!;

    /// <summary>Runs the work of a child process.</summary>
    /// <returns>False if this process is not one.</returns>
    internal static bool TryRun(string[] arguments)
    {
        if (arguments is not [Argument, var kind, var yields, var isServerGC, var threads, var operations])
        {
            return false;
        }

        if (GCSettings.IsServerGC != bool.Parse(isServerGC))
        {
            throw new InvalidOperationException(
                "This process has not got the garbage collector that it was to be measured with.");
        }

        var measured = Measure(
            TimerLoops.Of(Enum.Parse<PartitionedKind>(kind), bool.Parse(yields)),
            int.Parse(threads, CultureInfo.InvariantCulture),
            int.Parse(operations, CultureInfo.InvariantCulture));
        Console.Out.WriteLine(JsonSerializer.Serialize(measured, s_json));
        return true;
    }

    private static Measurement Measure(Func<int, Task> loop, int threads, int operationsPerThread)
    {
        // The pool begins with a thread for each processor, and further loops would have to wait for one to end.
        ThreadPool.GetMinThreads(out var fewest, out var completion);
        ThreadPool.SetMinThreads(Math.Max(fewest, threads), completion);

        var start = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(start) < s_warmUp)
        {
            _ = TaskLoops.Run(threads, operationsPerTask: 10 * OperationsPerCall, Repeated);
        }

        GC.Collect();
        var measured = TaskLoops.Run(threads, operationsPerThread, Repeated);
        var pair = measured.WallNanoseconds / threads;
        return measured with { Compared = pair, WallNanoseconds = pair, PerSecond = 1e9 / pair };

        // The loop is called often enough for the runtime to optimise it fully.
        async Task Repeated(int operations)
        {
            for (var left = operations; left > 0; left -= OperationsPerCall)
            {
                await loop(Math.Min(left, OperationsPerCall)).ConfigureAwait(false);
            }
        }
    }
}
