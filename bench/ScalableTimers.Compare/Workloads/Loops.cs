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

    /// <summary>
    /// The cost of any use of a token, whichever timer ends it: creating the source, registering with it and cancelling
    /// it.
    /// </summary>
    internal static Action<int> OfSourceAlone { get; } = static pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            _ = source.Token.UnsafeRegister(s_ignoreCancellation, null);
            source.Cancel();
            MustBe(source.IsCancellationRequested);
        }
    };

    internal static Action<int> OfSchedule(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            timers.Schedule(Ignore, null, DueTime).Cancel();
        }
    };

    internal static Action<int> OfTaskDelay(TimeProvider clock) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var delay = Task.Delay(DueTime, clock, source.Token);
            source.Cancel();
            MustBe(delay.IsCanceled);
        }
    };

    internal static Action<int> OfTryDelay(TimerService timers) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var source = new CancellationTokenSource();
            var delay = timers.TryDelay(DueTime, source.Token);
            source.Cancel();
            MustBe(delay.IsCompletedSuccessfully && !delay.GetAwaiter().GetResult());
        }
    };

    internal static Action<int> OfSource(TimeProvider clock) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            new CancellationTokenSource(DueTime, clock).Dispose();
        }
    };

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

    internal static Action<int> OfToken(Func<TimeSpan, CancellationToken> get) => pairs =>
    {
        for (var i = 0; i < pairs; i++)
        {
            using var registration = get(DueTime).UnsafeRegister(s_ignoreCancellation, null);
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
