namespace ScalableTimers.Compare.Running;

/// <summary>Repeats an asynchronous operation in some tasks at once.</summary>
internal static class TaskLoops
{
    /// <param name="tasks">How many loops at once.</param>
    /// <param name="operationsPerTask">How many operations each of them does.</param>
    /// <param name="loop">Runs the given number of operations, one after the other.</param>
    internal static Measurement Run(int tasks, int operationsPerTask, Func<int, Task> loop)
    {
        RunAll(tasks, operationsPerTask / 20, loop);
        var before = Usage.Now();
        RunAll(tasks, operationsPerTask, loop);
        return Measurement.OfOperations(before, Usage.Now(), operationsPerTask, tasks);
    }

    private static void RunAll(int tasks, int operations, Func<int, Task> loop) =>
        Task.WaitAll(Enumerable.Range(0, tasks).Select(_ => Task.Run(() => loop(operations))).ToArray());
}
