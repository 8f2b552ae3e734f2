using System.Diagnostics;
using ScalableTimers.Timers;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A timer of the time provider, and the times when it was armed and fired. One thread changes it. Any thread may
/// dispose it.
/// </summary>
internal sealed class TrackedProviderTimer
{
    private static readonly TimerCallback s_fire = static timer => ((TrackedProviderTimer)timer!).Fire();

    private readonly Lock _gate = new();
    private readonly List<long> _armings = [];
    private readonly List<long> _firings = [];
    private readonly ITimer _timer;
    private readonly int _spin;
    private readonly long _period;
    private int _running;
    private volatile bool _isEnded;
    private string? _surprise;

    /// <param name="provider">Whose timer it is.</param>
    /// <param name="dueTime">When it first fires.</param>
    /// <param name="period">How often it fires then, or null for once.</param>
    /// <param name="spin">How long its callback runs.</param>
    public TrackedProviderTimer(TimeProvider provider, TimeSpan dueTime, TimeSpan? period = null, int spin = 0)
    {
        _spin = spin;
        _period = period is { } repeat ? StressTime.Units(repeat) : 0;
        _armings.Add(StressTime.In(dueTime));
        _timer = provider.CreateTimer(s_fire, this, dueTime, period ?? Timeout.InfiniteTimeSpan);
    }

    /// <summary>
    /// False for a timer of the clock itself, which the provider creates once the service has been disposed. Such a
    /// timer may be early.
    /// </summary>
    internal bool IsOurs => _timer is ProviderTimer;

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
    internal Task DisposeAsync()
    {
        var disposing = _timer.DisposeAsync();
        if (!disposing.IsCompleted)
        {
            return disposing.AsTask().ContinueWith(
                _ =>
                    CheckAtRest(),
                    CancellationToken.None,
                    TaskContinuationOptions.ExecuteSynchronously,
                    TaskScheduler.Default);
        }

        CheckAtRest();
        return Task.CompletedTask;
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

        var grid = Enumerable.Range(0, _firings.Count).Select(i => _armings[0] + (i * _period));
        var dueAt = _period == 0 ? _armings.Order().ToArray() : [.. grid];
        for (var i = 0; i < _firings.Count; i++)
        {
            if (_firings[i] < dueAt[i])
            {
                return $"firing {i + 1} of {_firings.Count} came "
                    + $"{StressTime.ToMilliseconds(dueAt[i] - _firings[i]):F4} ms early";
            }
        }

        return null;
    }

    private void Fire()
    {
        var now = Stopwatch.GetTimestamp();
        Interlocked.Increment(ref _running);
        if (_isEnded)
        {
            _surprise = "a callback started after DisposeAsync had ended";
        }

        lock (_gate)
        {
            _firings.Add(now);
        }

        Thread.SpinWait(_spin);
        Interlocked.Decrement(ref _running);
    }

    private void CheckAtRest()
    {
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
}
