using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A timer of the service that notes when its callback starts, whether another one is running, and how early it is.
/// </summary>
internal sealed class TrackedServiceTimer
{
    private static readonly TimerCallback s_fire = static timer => ((TrackedServiceTimer)timer!).Fire();

    private readonly ITimer _timer;
    private readonly long _notBefore;
    private readonly long _notAfter;
    private readonly long _period;
    private readonly bool _mayOverlap;
    private readonly Action? _body;
    private long _changedTo = long.MaxValue;
    private long _lastStart;
    private int _starts;
    private int _running;
    private volatile bool _isEnded;
    private string? _surprise;

    /// <param name="service">Whose timer it is.</param>
    /// <param name="dueTime">When it first fires.</param>
    /// <param name="period">How often it fires then, or null for once.</param>
    /// <param name="options">How it fires.</param>
    /// <param name="body">What its callback does.</param>
    public TrackedServiceTimer(
        TimerService service, TimeSpan dueTime, TimeSpan? period, PeriodicTimerOptions options, Action? body = null)
    {
        _period = period is { } repeat ? StressTime.Units(repeat) : 0;
        _mayOverlap = options.Overlap == TimerOverlap.Allow;
        _body = body;
        _notBefore = StressTime.In(dueTime);
        _timer = service.CreateTimer(s_fire, this, dueTime, period ?? Timeout.InfiniteTimeSpan, options);
        _notAfter = StressTime.In(dueTime);
    }

    internal int Starts => Volatile.Read(ref _starts);

    /// <summary>Whether it has started at or after the due time of its last change.</summary>
    internal bool HasFiredLast => Volatile.Read(ref _lastStart) >= Volatile.Read(ref _changedTo);

    /// <summary>How many moments of its grid have passed by a time, at least and at most.</summary>
    internal (long Least, long Most) Moments(long timestamp) =>
        (
            Math.Max(0, ((timestamp - _notAfter) / _period) + (timestamp >= _notAfter ? 1 : 0)),
            Math.Max(0, ((timestamp - _notBefore) / _period) + (timestamp >= _notBefore ? 1 : 0)));

    /// <summary>Changes the timer. Only one thread may call this.</summary>
    internal void Change(TimeSpan dueTime)
    {
        Volatile.Write(ref _changedTo, long.MaxValue);
        var dueAt = StressTime.In(dueTime);
        if (_timer.Change(dueTime, Timeout.InfiniteTimeSpan))
        {
            Volatile.Write(ref _changedTo, dueAt);
        }
    }

    /// <summary>Disposes it, and checks that nothing runs any more at the moment when disposing has ended.</summary>
    internal async Task DisposeAsync()
    {
        await _timer.DisposeAsync();
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

    /// <summary>Returns a description of the fault, or null.</summary>
    internal string? Fault() => _surprise;

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

        // Skipping can only make later firings later, so the k-th firing must not come before the k-th moment.
        // Overlapping callbacks take their numbers in any order.
        var starts = Interlocked.Increment(ref _starts);
        if (_period != 0 && !_mayOverlap && now < _notBefore + ((starts - 1) * _period))
        {
            _surprise =
                $"firing {starts} came {StressTime.ToMilliseconds(_notBefore + ((starts - 1) * _period) - now):F4} ms "
                + "early";
        }

        Volatile.Write(ref _lastStart, now);
        _body?.Invoke();
        Interlocked.Decrement(ref _running);
    }
}
