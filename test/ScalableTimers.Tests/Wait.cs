namespace ScalableTimers.Tests;

/// <summary>
/// Waits for events, never for time. Only failing tests reach the limit, which then names the event that never came.
/// </summary>
internal static class Wait
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(30);

    internal static void For(ManualResetEventSlim signal, string phase)
    {
        if (!signal.Wait(s_limit))
        {
            throw new TimeoutException($"Never came: {phase}.");
        }
    }

    internal static void For(CountdownEvent countdown, string phase)
    {
        if (!countdown.Wait(s_limit))
        {
            throw new TimeoutException(
                $"Never came: {phase}; {countdown.InitialCount - countdown.CurrentCount} of {countdown.InitialCount} "
                + "did.");
        }
    }

    internal static async Task For(Task task, string phase)
    {
        // The limit uses the system's clock, because the clock of the test stands still.
        if (await Task.WhenAny(task, Task.Delay(s_limit)) != task)
        {
            throw new TimeoutException($"Never came: {phase}.");
        }

        await task;
    }

    internal static async Task<T> For<T>(Task<T> task, string phase)
    {
        await For((Task)task, phase);
        return await task;
    }

    /// <summary>Runs something on a thread of its own and waits until that thread has ended.</summary>
    internal static void ForThread(Action action)
    {
        var thread = new TestThread(action);
        thread.Start();
        thread.End();
    }

    /// <summary>Runs something on several numbered threads at once and waits for all of them.</summary>
    internal static void ForThreads(int count, Action<int> action)
    {
        var threads = Enumerable.Range(0, count).Select(number => new TestThread(() => action(number))).ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(ForEnd);
    }

    /// <summary>Waits until a condition is true.</summary>
    internal static void Until(Func<bool> isSo, string phase)
    {
        if (!SpinWait.SpinUntil(isSo, s_limit))
        {
            throw new TimeoutException($"Never came: {phase}.");
        }
    }

    /// <summary>
    /// Collects garbage until none of the given objects is left. A thread that has finished with an object may keep it
    /// on its stack a moment longer.
    /// </summary>
    internal static void ForCollection(params IReadOnlyList<WeakReference> garbage) => Until(
        () =>
        {
            Services.CollectGarbage();
            return garbage.All(static one => !one.IsAlive);
        },
        $"the collection of {garbage.Count}");

    internal static void ForEnd(TestThread thread) => thread.End();

    internal static void ForEnd(Thread thread)
    {
        if (!thread.Join(s_limit))
        {
            throw new TimeoutException($"A thread did not end: {thread.Name ?? "started by this test"}.");
        }
    }
}
