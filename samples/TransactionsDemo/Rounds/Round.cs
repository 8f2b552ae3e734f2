using System.Diagnostics;
using TransactionsDemo.Bank;
using TransactionsDemo.Load;

namespace TransactionsDemo.Rounds;

/// <summary>Opens a bank, loads it, counts its money and closes it.</summary>
internal static class Round
{
    /// <summary>Longer than any timeout of Orleans' transactions.</summary>
    private static readonly TimeSpan s_lastTransferWithin = TimeSpan.FromSeconds(60);

    /// <param name="settings">The settings of the round.</param>
    /// <param name="tell">Called with each step before it begins.</param>
    public static async Task<RoundResult> RunAsync(RoundSettings settings, Action<string> tell)
    {
        tell("start");
        var cluster = await BankCluster.StartAsync(hasScalableTimers: settings.Variant == Variant.Scalable);
        RoundResult result;
        long stoppedAt;
        await using (cluster)
        {
            result = await LoadAsync(cluster.Grains, settings, tell);
            tell("stop");
            stoppedAt = Stopwatch.GetTimestamp();
        }

        return result with { StopSeconds = Stopwatch.GetElapsedTime(stoppedAt).TotalSeconds };
    }

    private static async Task<RoundResult> LoadAsync(
        IGrainFactory grains, RoundSettings settings, Action<string> tell)
    {
        tell("warm up");
        var load = new BankLoad(grains, settings.Concurrency, settings.Number);
        var running = load.RunAsync();
        await Task.Delay(settings.WarmUp);

        tell("load");
        load.MeasureLatencies();
        var waiting = Waits.RunAsync(grains, settings.Duration);
        var (startedWith, committedBefore) = (Usage.Now, load.Committed);
        await Task.Delay(settings.Duration);
        var (used, committed) = (Usage.Now.Since(startedWith), load.Committed - committedBefore);
        load.Stop();
        var waits = await waiting;
        await running.WaitAsync(s_lastTransferWithin);

        tell("count the money");
        var (workingSet, live) = (Environment.WorkingSet, GC.GetTotalMemory(forceFullCollection: true));
        var errors = await Audit.RunAsync(grains, load);
        return new RoundResult
        {
            TransfersPerSecond = committed / used.Elapsed.TotalSeconds,
            ProcessorMicrosecondsPerTransfer = used.ProcessorTime.TotalMicroseconds / Math.Max(1, committed),
            AllocatedKilobytesPerTransfer = used.AllocatedBytes / 1e3 / Math.Max(1, committed),
            LatencyPercentiles =
            [
                .. Enumerable.Range(1, 99).Select(percent => load.Latencies.GetValueAtPercentile(percent) / 1000.0),
            ],
            Failed = load.Failed,
            InDoubt = load.InDoubt,
            Waits = waits,
            WorkingSetMegabytes = workingSet / 1e6,
            LiveMegabytes = live / 1e6,
            Errors = errors,
        };
    }
}
