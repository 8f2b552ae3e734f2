namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>Threads use a service for the first time, and end.</summary>
internal static class Joining
{
    /// <summary>
    /// A new thread takes over the queue of an ended thread, which is trimmed, or gets its own. Another thread cancels
    /// the ended thread's timers and reads its delay, which returns the entry.
    /// </summary>
    [Scenario]
    internal static void QueueOfAnEndedThread(Interleaving run)
    {
        var stage = new Stage(run);
        int fired = 0, next = 0;
        ScheduledTimer first = default, second = default;
        var source = new CancellationTokenSource();
        ValueTask<bool> delay = default, last = default;
        run.Run(
            "former",
            prepare: () =>
            {
                first = stage.Schedule(1, () => fired++);
                second = stage.Schedule(2, () => fired++);
                delay = stage.Delay(2, source.Token);
                stage.LookForEndedThreads();
            },
            body: () => CancelPending(first));
        run.Run("heir", () =>
        {
            stage.Schedule(1, () => next++);
            stage.Schedule(3, () => next++);
            last = stage.Delay(2);
        });
        run.Run("cancels", () =>
        {
            CancelPending(second);
            Cancel(source);
            run.Pool.Drain();
            Require(OutcomeOf(delay) == false, "A delay whose token was cancelled is pending.");
        });
        run.Check(() =>
        {
            Require(stage.Queues.Length is 1 or 2, $"There are {stage.Queues.Length} queues.");
            Require(stage.RequireInOrder() is { Pending: 3, Cancelled: 3 }, $"The figures are wrong: {stage.Figures}.");
            stage.RequireOver(ticks: 3);
            Require(
                fired == 0 && next == 2, $"The cancelled callbacks have run {fired} times, the others {next} times.");
            Require(OutcomeOf(last) == true, "A delay of 2 ticks has not elapsed after 3.");
        });
    }

    /// <summary>
    /// A timer is changed while the queue of the ended thread that created it is trimmed and taken over: it fires.
    /// </summary>
    [Scenario]
    internal static void TimerChangedBesideATrim(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        ITimer? timer = null;
        run.Run(
            "former",
            prepare: () =>
            {
                timer = stage.CreateTimer(1, () => fired++);
                timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                stage.LookForEndedThreads();
            },
            body: static () => { });
        run.Run("changes", () => timer!.Change(Ticks(2), Timeout.InfiniteTimeSpan));
        run.Run("heir", () => stage.Schedule(3));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 3);
            Require(fired == 1, $"A timer that was changed has fired {fired} times.");
        });
    }

    /// <summary>
    /// Two threads use a service for the first time while it is disposed. Each gets an exception, or its timer is
    /// dropped and counted.
    /// </summary>
    [Scenario]
    internal static void JoinBesideDispose(Interleaving run)
    {
        var stage = new Stage(run);
        int fired = 0, scheduled = 0;
        for (var i = 0; i < 2; i++)
        {
            run.Run($"joins {i}", () =>
            {
                try
                {
                    stage.Schedule(1, () => fired++);
                    scheduled++;
                }
                catch (ObjectDisposedException)
                {
                }
            }, kind: "joins");
        }

        run.Run("disposes", stage.Service.Dispose);
        run.Check(() =>
        {
            stage.RequireDisposed();
            stage.Pass(2);
            var seen = stage.RequireInOrder();
            Require(
                fired == 0 && seen.Dropped == scheduled,
                $"{scheduled} callbacks were scheduled, {seen.Dropped} dropped, and {fired} have run.");
        });
    }
}
