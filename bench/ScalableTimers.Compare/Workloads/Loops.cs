using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads;

/// <summary>Loops of timeouts that are cancelled, one for each kind of timeout.</summary>
internal static class Loops
{
    internal static readonly TimerCallback Ignore = static _ => { };
    internal static readonly TimeSpan DueTime = TimeSpan.FromSeconds(30);

    private static readonly Action<object?> s_ignoreCancellation = static _ => { };

    internal static Action<int> OfTimer { get; } = static pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            new Timer(Ignore, null, DueTime, Timeout.InfiniteTimeSpan).Dispose();
        }
    };

    /// <summary>The least any timeout must do: read when it begins.</summary>
    internal static Action<int> OfClock { get; } = static pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            MustBe(Stopwatch.GetTimestamp() > 0);
        }
    };

    internal static Action<int> OfSchedule(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            timers.Schedule(Ignore, null, DueTime).Cancel();
        }
    };

    /// <summary>
    /// A delay that code awaits, and that its token ends. The code goes on where the delay resumes it, on the pool.
    /// </summary>
    internal static Action<int> OfDelay(Func<CancellationToken, Task> wait) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            _ = wait(source.Token);
            source.Cancel();
        }
    };

    internal static Action<int> OfSource(TimeProvider clock) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            new CancellationTokenSource(DueTime, clock).Dispose();
        }
    };

    internal static Action<int> OfCancelAfter(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            using var timeout = timers.CancelAfter(source, DueTime);
        }
    };

    /// <summary>A source for each operation, linked to the token of the caller, which is the same for all.</summary>
    internal static Action<int> OfLinkedSource()
    {
        var caller = new CancellationTokenSource();
        return pairs =>
        {
            for (var i = 0; i < pairs; i++)
            {
                using var source = CancellationTokenSource.CreateLinkedTokenSource(caller.Token);
                source.CancelAfter(DueTime);
            }
        };
    }

    /// <inheritdoc cref="OfLinkedSource()"/>
    internal static Action<int> OfLinkedSource(TimerService timers)
    {
        var caller = new CancellationTokenSource();
        return pairs =>
        {
            for (var i = 0; i < pairs; i++)
            {
                using var source = CancellationTokenSource.CreateLinkedTokenSource(caller.Token);
                using var timeout = timers.CancelAfter(source, DueTime);
            }
        };
    }

    /// <summary>
    /// One reused source per thread, as in servers that rent sources from a pool.
    /// </summary>
    internal static Action<int> OfPooledSource()
    {
        var source = new CancellationTokenSource();
        return pairs =>
        {
            for (var i = 0; i < pairs; i++)
            {
                source.CancelAfter(DueTime);
                MustBe(source.TryReset());
            }
        };
    }

    /// <inheritdoc cref="OfPooledSource()"/>
    internal static Action<int> OfPooledSource(TimerService timers)
    {
        var source = new CancellationTokenSource();
        return pairs =>
        {
            for (var i = 0; i < pairs; i++)
            {
                var timeout = timers.CancelAfter(source, DueTime);
                MustBe(timeout.Cancel() && source.TryReset());
            }
        };
    }

    /// <summary>One source per thread whose timeout begins anew each time, as at each read from a connection.</summary>
    internal static Action<int> OfPushedSource()
    {
        var source = new CancellationTokenSource();
        return pushes =>
        {
            for (var i = 0; i < pushes; i++)
            {
                source.CancelAfter(DueTime);
            }
        };
    }

    /// <inheritdoc cref="OfPushedSource()"/>
    internal static Action<int> OfPushedSource(TimerService timers)
    {
        var timeout = timers.CancelAfter(new CancellationTokenSource(), DueTime);
        return pushes =>
        {
            for (var i = 0; i < pushes; i++)
            {
                MustBe(timeout.Reschedule(DueTime));
            }
        };
    }

    /// <summary>A wait for a task that ends at once.</summary>
    internal static Action<int> OfWait(Func<Task, TimeSpan, Task> wait) => waits =>
    {
        for (var i = 0; i < waits; i++)
        {
            var work = new TaskCompletionSource();
            var ended = wait(work.Task, DueTime);
            work.SetResult();
            MustBe(ended.IsCompletedSuccessfully);
        }
    };

    /// <summary>The same for a task whose source the program has: the timeout ends the task itself.</summary>
    internal static Action<int> OfWait(TimerService timers) => waits =>
    {
        for (var i = 0; i < waits; i++)
        {
            var work = new TaskCompletionSource();
            using var timeout = timers.Schedule(
                static work => work.TrySetException(new TimeoutException()), work, DueTime);
            work.SetResult();
            MustBe(work.Task.IsCompletedSuccessfully);
        }
    };

    /// <summary>A registration with a token that others use too.</summary>
    internal static Action<int> OfToken(Func<TimeSpan, CancellationToken> get) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var registration = get(DueTime).UnsafeRegister(s_ignoreCancellation, null);
        }
    };

    /// <summary>A registration with a source of its own.</summary>
    internal static Action<int> OfRegistration(TimeProvider clock) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource(DueTime, clock);
            using var registration = source.Token.UnsafeRegister(s_ignoreCancellation, null);
        }
    };

    /// <inheritdoc cref="OfRegistration(TimeProvider)"/>
    internal static Action<int> OfRegistration(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            using var timeout = timers.CancelAfter(source, DueTime);
            using var registration = source.Token.UnsafeRegister(s_ignoreCancellation, null);
        }
    };

    internal static void MustBe(bool isAsMeant)
    {
        if (!isAsMeant)
        {
            throw new InvalidOperationException("What is measured is not what was meant.");
        }
    }
}
