namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>Loops that create a timer and dispose of it, with an await between or without, one for each kind.</summary>
internal static class TimerLoops
{
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(100);

    internal static string NameOf(PartitionedKind kind) => kind switch
    {
        PartitionedKind.Timer => "Timer",
        PartitionedKind.GlobalLock => "one lock, one list",
        PartitionedKind.TaskDelay => "Task.Delay + cancel",
        PartitionedKind.Schedule => "Schedule",
        PartitionedKind.TryDelay => "TryDelay + cancel",
        PartitionedKind.TimeProvider => "TimeProvider",
        PartitionedKind.TaskDelayOverTimeProvider => "Task.Delay over TimeProvider + cancel",
        _ => "no timer",
    };

    internal static bool HasCountedLocks(PartitionedKind kind) => kind
        is PartitionedKind.Timer or PartitionedKind.GlobalLock or PartitionedKind.TaskDelay or PartitionedKind.Nothing;

    /// <summary>Creates the loop. Its timers live as long as the process.</summary>
    internal static Func<int, Task> Of(PartitionedKind kind, bool yields) => kind switch
    {
        PartitionedKind.Timer => pairs => OfTimer(pairs, yields),
        PartitionedKind.GlobalLock => OfGlobalLock(new GlobalLockQueue(), yields),
        PartitionedKind.TaskDelay => OfTaskDelay(TimeProvider.System, yields),
        PartitionedKind.Schedule => OfSchedule(new TimerService(), yields),
        PartitionedKind.TryDelay => OfTryDelay(new TimerService(), yields),
        PartitionedKind.TimeProvider => OfTimeProvider(new TimerService().TimeProvider, yields),
        PartitionedKind.TaskDelayOverTimeProvider => OfTaskDelay(new TimerService().TimeProvider, yields),
        _ => pairs => OfNothing(pairs, yields),
    };

    private static Func<int, Task> OfGlobalLock(GlobalLockQueue queue, bool yields) =>
        pairs => OfGlobalLock(queue, pairs, yields);

    private static Func<int, Task> OfSchedule(TimerService timers, bool yields) =>
        pairs => OfSchedule(timers, pairs, yields);

    private static Func<int, Task> OfTryDelay(TimerService timers, bool yields) =>
        pairs => OfTryDelay(timers, pairs, yields);

    private static Func<int, Task> OfTimeProvider(TimeProvider clock, bool yields) =>
        pairs => OfTimeProvider(clock, pairs, yields);

    private static Func<int, Task> OfTaskDelay(TimeProvider clock, bool yields) =>
        pairs => OfTaskDelay(clock, pairs, yields);

    private static async Task OfTimer(int pairs, bool yields)
    {
        for (var i = 0; i < pairs; i++)
        {
            using var timer = new Timer(Cancelling.Timeouts.Ignore, null, s_dueTime, Timeout.InfiniteTimeSpan);
            if (yields)
            {
                await Task.Yield();
            }
        }
    }

    private static async Task OfGlobalLock(GlobalLockQueue queue, int pairs, bool yields)
    {
        for (var i = 0; i < pairs; i++)
        {
            using var timer = queue.StartWithHandle(Cancelling.Timeouts.Ignore, null, s_dueTime);
            if (yields)
            {
                await Task.Yield();
            }
        }
    }

    private static async Task OfTaskDelay(TimeProvider clock, int pairs, bool yields)
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var delay = Task.Delay(s_dueTime, clock, source.Token);
            if (yields)
            {
                await Task.Yield();
            }

            source.Cancel();
            Cancelling.Timeouts.MustHaveEnded(delay.IsCanceled);
        }
    }

    private static async Task OfSchedule(TimerService timers, int pairs, bool yields)
    {
        for (var i = 0; i < pairs; i++)
        {
            var timer = timers.Schedule(Cancelling.Timeouts.Ignore, null, s_dueTime);
            if (yields)
            {
                await Task.Yield();
            }

            timer.Cancel();
        }
    }

    private static async Task OfTryDelay(TimerService timers, int pairs, bool yields)
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var delay = timers.TryDelay(s_dueTime, source.Token);
            if (yields)
            {
                await Task.Yield();
            }

            source.Cancel();
            Cancelling.Timeouts.MustHaveEnded(!await delay.ConfigureAwait(false));
        }
    }

    private static async Task OfTimeProvider(TimeProvider clock, int pairs, bool yields)
    {
        for (var i = 0; i < pairs; i++)
        {
            using var timer = clock.CreateTimer(Cancelling.Timeouts.Ignore, null, s_dueTime, Timeout.InfiniteTimeSpan);
            if (yields)
            {
                await Task.Yield();
            }
        }
    }

    private static async Task OfNothing(int pairs, bool yields)
    {
        for (var i = 0; i < pairs; i++)
        {
            if (yields)
            {
                await Task.Yield();
            }
        }
    }
}
