namespace ScalableTimers.Peer;

/// <summary>The cost of a timeout of 30 seconds that is cancelled at once, on two threads.</summary>
internal static class Pairs
{
    private const int Threads = 2;
    private static readonly TimerCallback s_mustNotRun = static _ => Environment.FailFast("A cancelled timer ran.");
    private static readonly TimerCallback s_ignore = static _ => { };

    internal static Result Run(ITimers timers, int pending, int wanted, Scale scale)
    {
        var pairs = wanted / scale.Divisor;
        using var start = new Barrier(Threads + 1);
        using var end = new Barrier(Threads + 1);
        var threads = Enumerable.Range(0, Threads)
            .Select(_ => new Thread(() => Work(timers, pending / Threads, pairs, start, end)))
            .ToList();
        threads.ForEach(static thread => thread.Start());
        start.SignalAndWait();
        var before = Usage.Now();
        start.SignalAndWait();
        end.SignalAndWait();
        var after = Usage.Now();
        threads.ForEach(static thread => thread.Join());
        return new Result
        {
            WallNanoseconds = before.WallUntil(after).TotalNanoseconds / pairs,
            ProcessorNanoseconds = (after.Processor - before.Processor).TotalNanoseconds / pairs / Threads,
            Bytes = (double)(after.Bytes - before.Bytes) / pairs / Threads,
        };
    }

    private static void Work(ITimers timers, int pending, int pairs, Barrier start, Barrier end)
    {
        // The other timers are spread over the running threads, as in a server. They are not cancelled, because each
        // round has its own process.
        var others = new object?[pending];
        for (var i = 0; i < others.Length; i++)
        {
            others[i] = timers.Schedule(s_ignore, null, TimeSpan.FromHours(1));
        }

        Repeat(timers, pairs / 5);
        start.SignalAndWait();
        start.SignalAndWait();
        Repeat(timers, pairs);
        end.SignalAndWait();
        GC.KeepAlive(others);
    }

    private static void Repeat(ITimers timers, int pairs)
    {
        if (timers.ScheduleThenCancel(s_mustNotRun, pairs) != pairs)
        {
            throw new InvalidOperationException("A timer could not be cancelled.");
        }
    }
}
