using System.Collections.Concurrent;
using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A timer of the time provider or of the service, and the times when it was armed and fired. One thread changes it.
/// Any thread may dispose it.
/// </summary>
internal sealed class TrackedITimer
{
    private static readonly TimerCallback s_fire = static timer => ((TrackedITimer)timer!).Fire();

    private readonly List<long> _armings = [];
    private readonly ConcurrentQueue<long> _firings = new();
    private readonly ITimer _timer;
    private readonly long _period;
    private readonly bool _mayOverlap;
    private readonly Action? _body;
    private int _running;
    private volatile bool _isEnded;
    private string? _surprise;

    /// <summary>Creates a timer of the time provider.</summary>
    public TrackedITimer(TimeProvider provider, TimeSpan dueTime, TimeSpan? period = null, Action? body = null)
        : this(provider.CreateTimer, dueTime, period, mayOverlap: true, body)
    {
    }

    /// <summary>Creates a timer of the service.</summary>
    public TrackedITimer(
        TimerService service, TimeSpan dueTime, TimeSpan? period, TimeSpan tolerance = default, Action? body = null)
        : this(
            (callback, state, first, next) => service.CreatePeriodicTimer(callback, state, first, next, tolerance),
            dueTime,
            period,
            mayOverlap: false,
            body)
    {
    }

    private TrackedITimer(
        Func<TimerCallback, object?, TimeSpan, TimeSpan, ITimer> create,
        TimeSpan dueTime,
        TimeSpan? period,
        bool mayOverlap,
        Action? body)
    {
        _period = period is { } repeat ? StressTime.Units(repeat) : 0;
        (_mayOverlap, _body) = (mayOverlap, body);
        if (dueTime != Timeout.InfiniteTimeSpan)
        {
            _armings.Add(StressTime.In(dueTime));
        }

        _timer = create(s_fire, this, dueTime, period ?? Timeout.InfiniteTimeSpan);
    }

    internal int Firings => _firings.Count;

    /// <summary>Whether it has fired since it was last armed, as far as that is known.</summary>
    private bool HasFiredLast => Firings >= _armings.Count || _firings.Any(firing => firing >= _armings[^1]);

    /// <summary>Waits until each of some timers has fired since it was last changed, or fails.</summary>
    internal static void WaitForLast(string phase, List<TrackedITimer> timers) => Stress.WaitUntil(
        phase,
        () => timers.TrueForAll(static timer => timer.HasFiredLast),
        () => $"{timers.Count(static timer => !timer.HasFiredLast)} of {timers.Count} have not fired since their last "
            + "change.");

    /// <summary>Fails if a timer has a fault. Call it when nothing uses the timers any longer.</summary>
    internal static void Verify(string phase, List<TrackedITimer> timers)
    {
        var description = Offenders.Describe(timers.Select(static timer => timer.Fault()));
        if (description.Length > 0)
        {
            Stress.Fail(phase, description);
        }
    }

    internal void Change(TimeSpan dueTime)
    {
        var dueAt = StressTime.In(dueTime);
        if (_timer.Change(dueTime, Timeout.InfiniteTimeSpan))
        {
            _armings.Add(dueAt);
        }
    }

    /// <summary>Disposes it, and checks that no callback runs once that has ended.</summary>
    internal async Task DisposeAsync()
    {
        await _timer.DisposeAsync().ConfigureAwait(false);
        _isEnded = true;
        if (Volatile.Read(ref _running) != 0)
        {
            _surprise = "a callback was running when DisposeAsync had ended";
        }

        if (_timer.Change(TimeSpan.Zero, Timeout.InfiniteTimeSpan))
        {
            _surprise = "a disposed timer could be changed";
        }
    }

    /// <summary>Returns a description of the fault, or null. Call it when nothing uses the timer any longer.</summary>
    internal string? Fault()
    {
        if (_surprise is not null)
        {
            return _surprise;
        }

        // Each firing needs an arming of its own that was due by then. Which belong together is unknown, but if any
        // assignment works, the one in order does.
        var firings = _firings.Order().ToList();
        if (_period == 0 && firings.Count > _armings.Count)
        {
            return $"armed {_armings.Count} times, fired {firings.Count} times";
        }

        _armings.Sort();
        for (var i = 0; i < firings.Count; i++)
        {
            var dueAt = _period == 0 ? _armings[i] : _armings[0] + (i * _period);
            if (firings[i] < dueAt)
            {
                return $"firing {i + 1} came {StressTime.ToMilliseconds(dueAt - firings[i]):F4} ms early";
            }
        }

        return null;
    }

    private void Fire()
    {
        var now = Stopwatch.GetTimestamp();
        if (_isEnded)
        {
            _surprise = "a callback started after DisposeAsync had ended";
        }

        if (Interlocked.Increment(ref _running) > 1 && !_mayOverlap)
        {
            _surprise = "a callback was re-entered";
        }

        _firings.Enqueue(now);
        _body?.Invoke();
        Interlocked.Decrement(ref _running);
    }
}
