using System.Diagnostics;
using TransactionsDemo.Bank;
using TransactionsDemo.Load;

namespace TransactionsDemo.Rounds;

/// <summary>
/// Opens a bank, loads it, counts its money and closes it. Each round has a process of its own: the timers of Orleans'
/// transactions belong to the process, so nothing that one variant leaves behind affects the other.
/// </summary>
/// <param name="HasPlugin">Whether the silos have the plugin.</param>
/// <param name="Number">From 1.</param>
/// <param name="WarmUp">How long the bank is under load before anything is measured.</param>
/// <param name="Duration">How long it is then under load and measured.</param>
internal sealed record Round(bool HasPlugin, int Number, TimeSpan WarmUp, TimeSpan Duration)
{
    /// <summary>Longer than any timeout of Orleans' transactions.</summary>
    private static readonly TimeSpan s_lastTransferWithin = TimeSpan.FromSeconds(60);

    /// <param name="tell">Called with each step before it begins.</param>
    public async Task<RoundResult> RunAsync(Action<string> tell)
    {
        tell("start");
        var cluster = await BankCluster.StartAsync(HasPlugin);
        RoundResult result;
        long stoppedAt;
        await using (cluster)
        {
            result = await LoadAsync(cluster.Grains, tell);
            tell("stop");
            stoppedAt = Stopwatch.GetTimestamp();
        }

        return result with { StopSeconds = Stopwatch.GetElapsedTime(stoppedAt).TotalSeconds };
    }

    private async Task<RoundResult> LoadAsync(IGrainFactory grains, Action<string> tell)
    {
        tell("warm up");
        var load = new BankLoad(grains, Number);
        var running = load.RunAsync();
        await Task.Delay(WarmUp);

        tell("load");
        load.MeasureLatencies();
        var waiting = Waits.RunAsync(grains, Duration);
        var (startedAt, processor, allocated) = Usage();
        var committed = -load.Committed;
        await Task.Delay(Duration);
        var (endedAt, processorAfter, allocatedAfter) = Usage();
        committed += load.Committed;
        load.Stop();
        var lateness = await waiting;
        await running.WaitAsync(s_lastTransferWithin);

        tell("count the money");
        var (workingSet, live) = (Environment.WorkingSet, GC.GetTotalMemory(forceFullCollection: true));
        var errors = await Audit.RunAsync(grains, load);
        return new RoundResult
        {
            TransfersPerSecond = committed / Stopwatch.GetElapsedTime(startedAt, endedAt).TotalSeconds,
            ProcessorMicrosecondsPerTransfer =
                (processorAfter - processor).TotalMicroseconds / Math.Max(1, committed),
            AllocatedKilobytesPerTransfer = (allocatedAfter - allocated) / 1e3 / Math.Max(1, committed),
            LatencyP50 = load.Latencies.GetValueAtPercentile(50) / 1000.0,
            LatencyP99 = load.Latencies.GetValueAtPercentile(99) / 1000.0,
            Failed = load.Failed,
            InDoubt = load.InDoubt,
            Lateness = lateness,
            WorkingSetMegabytes = workingSet / 1e6,
            LiveMegabytes = live / 1e6,
            Errors = errors,
        };
    }

    private static (long At, TimeSpan Processor, long Allocated) Usage() =>
        (Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes());
}
