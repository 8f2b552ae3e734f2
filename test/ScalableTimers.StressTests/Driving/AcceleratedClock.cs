using System.Diagnostics;

namespace ScalableTimers.StressTests.Driving;

/// <summary>
/// The real clock a thousand times faster, whose timers are rung by spinning threads. A driver with this clock wakes,
/// serves and goes to sleep in a microsecond instead of a millisecond. So its races happen a thousand times as often.
/// </summary>
internal sealed class AcceleratedClock : TimeProvider, IDisposable
{
    private const int Acceleration = 1000;
    private const int SpinsBeforeYield = 100;

    private readonly int _linger;
    private readonly long _origin = Stopwatch.GetTimestamp();
    private volatile SpinningTimer[] _timers = [];
    private volatile bool _isDisposed;

    /// <remarks>
    /// With more than one ringer, as with .NET's timers, a timer that is set again while it rings may ring again
    /// meanwhile. A timer that has been set lingers for so many steps before it returns.
    /// </remarks>
    public AcceleratedClock(int ringers = 1, int linger = 0)
    {
        _linger = linger;
        for (var i = 0; i < ringers; i++)
        {
            var processor = i;
            new Thread(() => Run(processor)) { IsBackground = true, Name = "accelerated clock" }.Start();
        }
    }

    public override long TimestampFrequency => Stopwatch.Frequency;

    public override long GetTimestamp() => (Stopwatch.GetTimestamp() - _origin) * Acceleration;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new SpinningTimer(this, callback, state);
        timer.Change(dueTime, period);
        _timers = [.. _timers, timer];
        return timer;
    }

    public void Dispose() => _isDisposed = true;

    private void Run(int processor)
    {
        Processors.Pin(processor);
        for (var spins = 1; !_isDisposed; spins++)
        {
            foreach (var timer in _timers)
            {
                timer.RingIfDue();
            }

            // On a busy machine the scheduler may be waiting for this processor.
            if (spins % SpinsBeforeYield == 0)
            {
                Thread.Yield();
            }
        }
    }

    private sealed class SpinningTimer(AcceleratedClock clock, TimerCallback callback, object? state) : ITimer
    {
        private long _dueAt = long.MaxValue;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            var dueAt = dueTime == Timeout.InfiniteTimeSpan
                ? long.MaxValue
                : clock.GetTimestamp() + StressTime.Units(dueTime);
            Interlocked.Exchange(ref _dueAt, dueAt);
            StressThreads.Linger(clock._linger);
            return true;
        }

        public void Dispose() => Interlocked.Exchange(ref _dueAt, long.MaxValue);

        public ValueTask DisposeAsync() => throw new NotSupportedException();

        internal void RingIfDue()
        {
            var dueAt = Volatile.Read(ref _dueAt);
            if (dueAt <= clock.GetTimestamp() && Interlocked.CompareExchange(ref _dueAt, long.MaxValue, dueAt) == dueAt)
            {
                callback(state);
            }
        }
    }
}
