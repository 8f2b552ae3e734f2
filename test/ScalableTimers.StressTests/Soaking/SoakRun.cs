using ScalableTimers.StressTests.Recording;
using ScalableTimers.StressTests.Soaking.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>The state that all participants of a run share.</summary>
internal sealed class SoakRun : IDisposable
{
    private readonly CallbackSlot?[] _peers = new CallbackSlot?[1024];
    private readonly CancelSource?[] _sources = new CancelSource?[64];
    private long _statisticsAdded;
    private int _place;
    private volatile bool _isOver;

    public SoakRun()
    {
        LateOnes = new LateOnes(Tally, Witness);
        Counted = Statistics.Register("counted");
        Cleared = ClearedStatistics.Register("cleared");
    }

    /// <summary>Each driver at 1 ms and at 10 ms, side by side.</summary>
    internal SoakSubject[] Subjects { get; } = [..
        from resolution in new[] { 1.0, 10.0 }
        from driver in Enum.GetValues<DriverChoice>()
        select new SoakSubject(driver, resolution)];

    internal SoakTally Tally { get; } = new();

    internal PauseWitness Witness { get; } = new();

    internal LateOnes LateOnes { get; }

    internal OperationStatistics Statistics { get; } = new("soak");

    internal OperationStatistics ClearedStatistics { get; } = new("soak, cleared");

    internal Operation Counted { get; }

    internal Operation Cleared { get; }

    internal bool IsOver => _isOver || Tally.HasFaults;

    internal void End() => _isOver = true;

    /// <summary>Leaves a callback for others to cancel, and returns the one that was in its place.</summary>
    internal CallbackSlot? Exchange(CallbackSlot? slot) =>
        Interlocked.Exchange(ref _peers[NextPlace() % (uint)_peers.Length], slot);

    /// <summary>
    /// Leaves a source for others to cancel, and returns the one that was in its place, which the caller cancels.
    /// </summary>
    internal CancelSource? Exchange(CancelSource? source) =>
        Interlocked.Exchange(ref _sources[NextPlace() % (uint)_sources.Length], source);

    /// <summary>Cancels a few callbacks that others have left.</summary>
    internal void CancelPeers(int count)
    {
        for (var i = 0; i < count; i++)
        {
            Exchange((CallbackSlot?)null)?.Cancel(twice: i == 0);
        }
    }

    internal void AddStatistics(TimeSpan duration)
    {
        Interlocked.Increment(ref _statisticsAdded);
        Statistics.Add(Counted, duration);
        ClearedStatistics.Add(Cleared, duration);
    }

    /// <summary>Cancels everything that was left for others.</summary>
    internal void CancelAllLeft()
    {
        CancelPeers(_peers.Length);
        for (var i = 0; i < _sources.Length; i++)
        {
            Exchange((CancelSource?)null)?.Cancel();
        }
    }

    /// <summary>Reports the runs that the statistics have lost. Called when nobody adds any more.</summary>
    internal void CheckStatistics()
    {
        var counted = Statistics.Snapshot().Sum(static summary => summary.Count);
        if (counted != _statisticsAdded)
        {
            Tally.Report(
                SoakFault.Other, $"{_statisticsAdded} durations were added to the statistics, and {counted} counted");
        }
    }

    public void Dispose()
    {
        End();
        Witness.Dispose();
        Statistics.Dispose();
        ClearedStatistics.Dispose();
    }

    private uint NextPlace() => (uint)Interlocked.Increment(ref _place);
}
