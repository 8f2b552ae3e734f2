namespace ScalableTimers.Peer;

/// <summary>The memory of 1,000,000 pending timers, and their cost while nothing is due.</summary>
internal static class Pending
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_dueTime = TimeSpan.FromHours(1);

    /// <summary>Bytes for each timer, without the list that is kept here.</summary>
    internal static Result Bytes(ITimers timers, Scale scale)
    {
        var kept = new object?[1_000_000 / scale.Divisor];
        var one = timers.Schedule(s_ignore, null, s_dueTime);
        var before = GC.GetTotalMemory(forceFullCollection: true);
        Schedule(timers, kept);
        var bytes = (double)(GC.GetTotalMemory(forceFullCollection: true) - before) / kept.Length;
        GC.KeepAlive(one);
        GC.KeepAlive(kept);
        return new Result { Bytes = bytes };
    }

    /// <summary>Processor time a second.</summary>
    internal static Result Idle(ITimers timers, Scale scale)
    {
        var kept = new object?[1_000_000];
        Schedule(timers, kept);
        GC.Collect();
        Thread.Sleep(1000);
        var before = Usage.Now();
        Thread.Sleep(scale.IdleMilliseconds);
        var after = Usage.Now();
        GC.KeepAlive(kept);
        return new Result
        {
            ProcessorNanoseconds = (after.Processor - before.Processor) / before.WallUntil(after) * 1e9,
        };
    }

    private static void Schedule(ITimers timers, object?[] kept)
    {
        for (var i = 0; i < kept.Length; i++)
        {
            kept[i] = timers.Schedule(s_ignore, null, s_dueTime);
        }
    }
}
