namespace ScalableTimers.Compare.Running;

/// <summary>Repeats an operation on some threads at once.</summary>
/// <remarks>
/// The loop itself is the contestant's, so that neither a delegate call nor a box comes between it and what is measured. It is called
/// for a thousand operations at a time: often enough for the runtime to compile it to the end, and seldom enough to cost nothing.
/// </remarks>
internal static class ThreadLoops
{
    private const int OperationsPerCall = 1000;

    /// <param name="threads">How many threads.</param>
    /// <param name="operationsPerThread">How many operations each of them does.</param>
    /// <param name="createLoop">Called once on each thread; gives the loop that does so many operations.</param>
    internal static Measurement Run(int threads, int operationsPerThread, Func<Action<int>> createLoop)
    {
        // A thread warms up before the clock starts: its first timer may allocate.
        using var start = new Barrier(threads + 1);
        using var end = new Barrier(threads + 1);
        for (var i = 0; i < threads; i++)
        {
            new Thread(() =>
            {
                var loop = createLoop();
                Repeat(loop, operationsPerThread / 20);
                start.SignalAndWait();
                Repeat(loop, operationsPerThread);
                end.SignalAndWait();
            }).Start();
        }

        start.SignalAndWait();
        var before = Usage.Now();
        end.SignalAndWait();
        return Measurement.OfOperations(before, Usage.Now(), operationsPerThread, threads);
    }

    private static void Repeat(Action<int> loop, int operations)
    {
        for (var left = operations; left > 0; left -= OperationsPerCall)
        {
            loop(Math.Min(left, OperationsPerCall));
        }
    }
}
