namespace ScalableTimers.Compare.Running;

/// <summary>Repeats an operation on some threads at once.</summary>
/// <remarks>
/// The contestant provides the loop itself, so that neither a delegate call nor boxing is measured. The loop is called
/// for a thousand operations at a time. That is often enough for the runtime to optimise it fully, and seldom enough to
/// cost nothing.
/// </remarks>
internal static class ThreadLoops
{
    private const int OperationsPerCall = 1000;

    /// <param name="threads">The number of threads.</param>
    /// <param name="operationsPerThread">The number of operations of each thread.</param>
    /// <param name="createLoop">
    /// Called once on each thread. Returns the loop, which runs the given number of operations.
    /// </param>
    internal static Measurement Run(int threads, int operationsPerThread, Func<Action<int>> createLoop)
    {
        // Each thread warms up before the clock starts, because its first timer may allocate. The last thread to arrive
        // reads the clock.
        Usage before = default, after = default;
        using var start = new Barrier(threads, _ => before = Usage.Now());
        using var end = new Barrier(threads, _ => after = Usage.Now());
        var all = Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            var loop = createLoop();
            Repeat(loop, operationsPerThread / 20);
            start.SignalAndWait();
            Repeat(loop, operationsPerThread);
            end.SignalAndWait();
        })).ToList();
        all.ForEach(static thread => thread.Start());
        all.ForEach(static thread => thread.Join());
        return Measurement.OfOperations(before, after, operationsPerThread, threads);
    }

    private static void Repeat(Action<int> loop, int operations)
    {
        for (var left = operations; left > 0; left -= OperationsPerCall)
        {
            loop(Math.Min(left, OperationsPerCall));
        }
    }
}
