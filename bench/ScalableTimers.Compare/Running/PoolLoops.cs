namespace ScalableTimers.Compare.Running;

/// <summary>Repeats an operation in 16 asynchronous loops on the thread pool.</summary>
/// <remarks>
/// More loops than threads of the pool: with as many, its threads go to sleep in between, and a yield alone takes 185
/// or 780 ns.
/// </remarks>
internal static class PoolLoops
{
    private const int LoopCount = 16;

    /// <param name="operationsPerThread">The number of operations for each processor.</param>
    /// <param name="loop">Runs the given number of operations.</param>
    internal static Measurement Run(int operationsPerThread, Func<int, Task> loop)
    {
        var threads = Environment.ProcessorCount;
        var perLoop = operationsPerThread * threads / LoopCount;
        Run(perLoop / 20);
        var before = Usage.Now();
        Run(perLoop);
        return Measurement.OfOperations(before, Usage.Now(), perLoop * LoopCount / threads, threads);

        void Run(int count) =>
            Task.WaitAll([.. Enumerable.Range(0, LoopCount).Select(_ => Task.Run(() => loop(count)))]);
    }
}
