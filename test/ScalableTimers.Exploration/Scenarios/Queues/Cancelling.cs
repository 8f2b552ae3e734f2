using ScalableTimers.Queues;

namespace ScalableTimers.Exploration.Scenarios.Queues;

/// <summary>Callbacks are cancelled and rescheduled by their owners and by other threads.</summary>
internal static class Cancelling
{
    private const int Places = RemoteCancels.Capacity - 1;

    /// <summary>
    /// The owner and another thread cancel a callback that expires. Exactly one of the three ends it. The owner
    /// schedules the next one.
    /// </summary>
    [Scenario]
    internal static void CallbackCancelledByBoth(Interleaving run)
    {
        var stage = new Stage(run);
        int fired = 0, next = 0;
        bool byOwner = false, byOther = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = stage.Schedule(1, () => fired++),
            body: () =>
            {
                byOwner = timer.Cancel();
                stage.Schedule(2, () => next++);
            });
        run.Run("cancels", () => byOther = timer.Cancel());
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            Require(!timer.Cancel(), "A timer that has fired or been cancelled was cancelled again.");
            stage.RequireOver(ticks: 3);
            var ends = fired + (byOwner ? 1 : 0) + (byOther ? 1 : 0);
            Require(
                ends == 1,
                $"A callback has fired {fired} times, and was cancelled by its owner: {byOwner}, by another thread: "
                + $"{byOther}.");
            Require(next == 1, $"The next callback has run {next} times.");
        });
    }

    /// <summary>
    /// The owner cancels one callback more than it can keep, while another thread cancels one too and the driver
    /// expires the empty entries.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void CancelWithAFullStack(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        ScheduledTimer here = default, elsewhere = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                here = stage.Schedule(2, () => fired += 10);
                elsewhere = stage.Schedule(2, () => fired += 10);
                var timers = new ScheduledTimer[EntryStore.OwnCapacity];
                for (var i = 0; i < timers.Length; i++)
                {
                    timers[i] = stage.Schedule(1, () => fired += 10);
                }

                foreach (var timer in timers)
                {
                    timer.Cancel();
                }
            },
            body: () =>
            {
                CancelPending(here);
                stage.Schedule(1, () => fired++);
            });
        run.Run("cancels", () => CancelPending(elsewhere));
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 1);
            Require(fired == 1, $"Cancelled callbacks have run {fired / 10} times, the other one {fired % 10} times.");
        });
    }

    /// <summary>
    /// Two threads cancel callbacks of a third, which takes the entries while a fourth takes a snapshot, which takes
    /// them too. The fourth takes another snapshot when both have cancelled. No entry is lost, taken twice or counted
    /// twice.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void RemoteCancelByTwoAndCounted(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        var timers = new ScheduledTimer[2];
        run.Run(
            "owner",
            prepare: () =>
            {
                for (var i = 0; i < timers.Length; i++)
                {
                    timers[i] = stage.Schedule(3, () => fired += 100);
                }
            },
            body: () =>
            {
                stage.Schedule(1, () => fired++);
                stage.Schedule(5, () => fired++);
            });
        run.Run("cancels", () => CancelPending(timers[0]), kind: "cancels");
        run.Run("cancels too", () => CancelPending(timers[1]), kind: "cancels");
        run.Run("counts", () =>
        {
            Require(stage.Figures.Pending >= 0, "Fewer than no timers are pending.");
            run.WaitUntil(() => run.HasEnded("cancels") && run.HasEnded("cancels too"), "end of the cancels");
            var cancelled = stage.Figures.Cancelled;
            Require(cancelled == 2, $"{cancelled} are counted as cancelled after two were.");
        });
        run.Check(() =>
        {
            Require(stage.RequireInOrder() is { Pending: 2, Cancelled: 2 }, $"The figures are wrong: {stage.Figures}.");
            stage.RequireOver(ticks: 5);
            Require(
                fired == 2, $"The cancelled callbacks have run {fired / 100} times, the others {fired % 100} times.");
        });
    }

    /// <summary>
    /// Two threads cancel callbacks of a third, with one place left for what other threads cancel. The thread that
    /// finds no place empties them all while the owner takes entries from them.
    /// </summary>
    [Scenario]
    internal static void RemoteCancelWithOnePlaceLeft(Interleaving run)
    {
        var stage = new Stage(run);
        var other = new Stage(run);
        var fired = 0;
        ScheduledTimer first = default, second = default;
        run.Run(
            "owner",
            prepare: () =>
            {
                LeaveOnePlace(stage, other);
                first = stage.Schedule(1, () => fired++);
                second = stage.Schedule(1, () => fired++);
            },
            body: () => stage.Schedule(2, () => fired += 10));
        run.Run("cancels", () => CancelPending(first), kind: "cancels");
        run.Run("cancels too", () => CancelPending(second), kind: "cancels");
        run.Check(() =>
        {
            Require(
                stage.RequireInOrder() is { Pending: Places + 1, Cancelled: Places + 2 },
                $"The figures are wrong: {stage.Figures}.");
            Require(stage.Linked == Places + 1, $"{stage.Linked} entries are linked.");
            stage.Pass(ticks: 3);
            Require(fired == 10, $"The callbacks have run {fired / 10} and {fired % 10} times.");
            stage.RequireDisposed();
        });
    }

    // The owner cancels as another thread does, because it has just used another service. Then it takes all entries
    // again. The places stay claimed until a thread finds that all have been taken.
    private static void LeaveOnePlace(Stage stage, Stage other)
    {
        var timers = new ScheduledTimer[Places];
        for (var i = 0; i < Places; i++)
        {
            timers[i] = stage.Schedule(1_000);
        }

        other.Schedule(1_000);
        foreach (var timer in timers)
        {
            timer.Cancel();
        }

        for (var i = 0; i < Places; i++)
        {
            stage.Schedule(1_000);
        }
    }

    /// <summary>
    /// A callback is rescheduled to a later time while another thread cancels it and it expires. It runs once, at one
    /// of the two times, or never.
    /// </summary>
    [Scenario]
    internal static void RescheduleBesideCancelAndExpiry(Interleaving run)
    {
        var stage = new Stage(run);
        var fired = 0;
        long firedAt = 0;
        bool isCancelled = false, isRescheduled = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = stage.Schedule(1, () =>
            {
                fired++;
                firedAt = stage.Clock.Now;
            }),
            body: () => isRescheduled = timer.Reschedule(Ticks(70)));
        run.Run("cancels", () => isCancelled = timer.Cancel());
        run.Run("driver", () => stage.Pass(1));
        run.Check(() =>
        {
            stage.Pass(ticks: 64);
            stage.RequireOver(ticks: 10);
            Require(
                fired == (isCancelled ? 0 : 1),
                $"A callback has fired {fired} times, and was cancelled: {isCancelled}.");
            Require(
                !isRescheduled || fired == 0 || firedAt >= Ticks(70).Ticks,
                "A callback has fired before the time that it was rescheduled to.");
        });
    }

    /// <summary>
    /// An old handle reschedules while its entry is cancelled and used again: the new callback keeps its time.
    /// </summary>
    [Scenario]
    internal static void RescheduleBesideReuse(Interleaving run)
    {
        var stage = new Stage(run);
        int old = 0, next = 0;
        bool isRescheduled = false;
        ScheduledTimer timer = default;
        run.Run(
            "owner",
            prepare: () => timer = stage.Schedule(5, () => old++),
            body: () =>
            {
                CancelPending(timer);
                stage.Schedule(2, () => next++);
            });
        run.Run("reschedules", () => isRescheduled = timer.Reschedule(Ticks(70)));
        run.Check(() =>
        {
            stage.RequireOver(ticks: 2);
            Require(
                old == 0 && next == 1,
                $"The cancelled callback has run {old} times, the next one {next} times; rescheduled: "
                + $"{isRescheduled}.");
        });
    }

    /// <summary>
    /// Where timers fire in order, two threads schedule, cancel and reschedule while the clock is advanced: each fires
    /// once or not at all, none early.
    /// </summary>
    [Scenario(Bound = 1)]
    internal static void SharedQueue(Interleaving run)
    {
        var stage = new Stage(run, isOrdered: true);
        var fired = 0;
        var isCancelled = false;
        ScheduledTimer timer = default;
        run.Run(
            "a",
            prepare: () => timer = stage.Schedule(1, () => fired++),
            body: () =>
            {
                isCancelled = timer.Cancel();
                stage.Schedule(1, () => fired += 10);
            });
        run.Run("b", () => timer.Reschedule(Ticks(2)));
        run.Run("driver", () => stage.Advance(1));
        run.Check(() =>
        {
            Require(
                stage.Linked == stage.RequireInOrder().Pending,
                "Where timers fire in order an entry is linked in vain.");
            stage.RequireOver(ticks: 3);
            Require(
                fired == (isCancelled ? 10 : 11),
                $"The callbacks have run {fired % 10} and {fired / 10} times, the first was cancelled: {isCancelled}.");
        });
    }
}
