using System.Diagnostics;
using ScalableTimers.Timers;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A timer of the time provider or of the service, and the times when it was armed and fired. One thread changes it.
/// Any thread may dispose it.
/// </summary>
internal sealed class TrackedITimer
{
    private static readonly TimerCallback s_fire = static timer => ((TrackedITimer)timer!).Fire();

    private readonly Lock _gate = new();
    private readonly List<long> _armings = [];
    private readonly List<long> _firings = [];
    private readonly ITimer _timer;
    private readonly long _notAfter;
    private readonly long _period;
    private readonly bool _mayOverlap;
    private readonly Action? _body;
    private int _running;
    private volatile bool _isEnded;
    private string? _surprise;

    /// <summary>Creates a timer of the time provider.</summary>
    /// <param name="provider">Whose timer it is.</param>
    /// <param name="dueTime">When it first fires.</param>
    /// <param name="period">How often it fires then, or null for once.</param>
    /// <param name="body">What its callback does.</param>
    public TrackedITimer(TimeProvider provider, TimeSpan dueTime, TimeSpan? period = null, Action? body = null)
        : this(dueTime, period, mayOverlap: true, body)
    {
        _timer = provider.CreateTimer(s_fire, this, dueTime, period ?? Timeout.InfiniteTimeSpan);
        _notAfter = StressTime.In(dueTime);
    }

    /// <summary>Creates a timer of the service.</summary>
    /// <param name="service">Whose timer it is.</param>
    /// <param name="dueTime">When it first fires.</param>
    /// <param name="period">How often it fires then, or null for once.</param>
    /// <param name="options">How it fires.</param>
    /// <param name="body">What its callback does.</param>
    public TrackedITimer(
        TimerService service, TimeSpan dueTime, TimeSpan? period, PeriodicTimerOptions options, Action? body = null)
        : this(dueTime, period, options.Overlap == TimerOverlap.Allow, body)
    {
        _timer = service.CreateTimer(s_fire, this, dueTime, period ?? Timeout.InfiniteTimeSpan, options);
        _notAfter = StressTime.In(dueTime);
    }

    private TrackedITimer(TimeSpan dueTime, TimeSpan? period, bool mayOverlap, Action? body)
    {
        _timer = null!; // set by the other constructors
        _period = period is { } repeat ? StressTime.Units(repeat) : 0;
        (_mayOverlap, _body) = (mayOverlap, body);
        if (dueTime != Timeout.InfiniteTimeSpan)
        {
            _armings.Add(StressTime.In(dueTime));
        }
    }

    /// <summary>Must not be read while another thread changes the timer.</summary>
    internal long DueAt => _armings[^1];

    internal int Firings
    {
        get
        {
            lock (_gate)
            {
                return _firings.Count;
            }
        }
    }

    /// <summary>Whether it has fired since it was last armed, as far as that is known.</summary>
    internal bool HasFiredLast
    {
        get
        {
            lock (_gate)
            {
                return _firings.Count >= _armings.Count || _firings.Exists(firing => firing >= DueAt);
            }
        }
    }

    /// <summary>
    /// False for a timer of the clock itself, which the provider creates once the service has been disposed. Such a
    /// timer may be early.
    /// </summary>
    private bool IsOurs => _timer is RepeatingEntry;

    /// <summary>How many moments of its grid have passed by a time, at least and at most.</summary>
    internal (long Least, long Most) Moments(long timestamp) =>
        (MomentsSince(_notAfter, timestamp), MomentsSince(_armings[0], timestamp));

    internal void Change(TimeSpan dueTime)
    {
        var dueAt = StressTime.In(dueTime);
        if (_timer.Change(dueTime, Timeout.InfiniteTimeSpan))
        {
            _armings.Add(dueAt);
        }
    }

    internal void Dispose() => _timer.Dispose();

    /// <summary>Disposes it, and checks that nothing runs any more at the moment when disposing has ended.</summary>
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

    /// <summary>Returns a description of the fault, or null. Call it when nothing uses the timer any more.</summary>
    internal string? Fault()
    {
        if (_surprise is not null || !IsOurs)
        {
            return _surprise;
        }

        // Each firing belongs to its own arming, which was due by then. It is unknown which firing belongs to which
        // arming. But if any assignment is possible, then the one in order is.
        _firings.Sort();
        if (_period == 0 && _firings.Count > _armings.Count)
        {
            return $"armed {_armings.Count} times, fired {_firings.Count} times";
        }

        _armings.Sort();
        for (var i = 0; i < _firings.Count; i++)
        {
            var dueAt = _period == 0 ? _armings[i] : _armings[0] + (i * _period);
            if (_firings[i] < dueAt)
            {
                var early = StressTime.ToMilliseconds(dueAt - _firings[i]);
                return $"firing {i + 1} of {_firings.Count} came {early:F4} ms early";
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

        lock (_gate)
        {
            _firings.Add(now);
        }

        _body?.Invoke();
        Interlocked.Decrement(ref _running);
    }

    private long MomentsSince(long first, long timestamp) =>
        timestamp < first ? 0 : ((timestamp - first) / _period) + 1;
}
