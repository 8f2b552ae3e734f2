namespace ScalableTimers.Compare.Workloads.Cancelling;

/// <summary>Loops of timeouts that are not needed after all, one for each way to have them.</summary>
internal static class Timeouts
{
    internal static readonly TimerCallback Ignore = static _ => { };
    internal static readonly TimeSpan DueTime = TimeSpan.FromSeconds(30);

    internal static Action<int> OfTimer { get; } = static pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            new Timer(Ignore, null, DueTime, Timeout.InfiniteTimeSpan).Dispose();
        }
    };

    internal static Action<int> OfTaskDelay { get; } = static pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var delay = Task.Delay(DueTime, source.Token);
            source.Cancel();
            MustHaveEnded(delay.IsCanceled);
        }
    };

    internal static Action<int> OfWaitAsync { get; } = static pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            var work = new TaskCompletionSource();
            var bounded = work.Task.WaitAsync(DueTime);
            work.SetResult();
            MustHaveEnded(bounded.IsCompletedSuccessfully);
        }
    };

    /// <summary>As servers do that rent sources from a pool: one source a thread, used again and again.</summary>
    internal static Action<int> OfPooledSource()
    {
        var source = new CancellationTokenSource();
        return pairs =>
        {
            for (var i = 0; i < pairs; i++)
            {
                source.CancelAfter(DueTime);
                MustHaveEnded(source.TryReset());
            }
        };
    }

    internal static Action<int> OfSchedule(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            timers.Schedule(Ignore, null, DueTime).Cancel();
        }
    };

    internal static Action<int> OfTryDelay(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var delay = timers.TryDelay(DueTime, source.Token);
            source.Cancel();
            MustHaveEnded(delay.IsCompletedSuccessfully && !delay.GetAwaiter().GetResult());
        }
    };

    /// <summary>What every use of a token costs, however time is kept: to make the source, register with it and cancel it.</summary>
    internal static Action<int> OfSourceAlone { get; } = static pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var registration = source.Token.UnsafeRegister(static _ => { }, null);
            source.Cancel();
            MustHaveEnded(!registration.Unregister());
        }
    };

    internal static void MustHaveEnded(bool hasEnded)
    {
        if (!hasEnded)
        {
            throw new InvalidOperationException("What is measured is not what was meant: a wait that should have ended has not.");
        }
    }
}
