using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Faults;

/// <summary>
/// A clock in virtual time. A test can make its members fail, block, call back, or disagree with the calendar.
/// </summary>
internal sealed class FaultyClock : TimeProvider
{
    private readonly ManualTimeProvider _inner = new();

    public override long TimestampFrequency => _inner.TimestampFrequency;

    public override TimeZoneInfo LocalTimeZone => _inner.LocalTimeZone;

    /// <summary>How far the calendar is ahead of the timestamps.</summary>
    internal TimeSpan CalendarStep { get; set; }

    /// <summary>Called before each reading of the timestamp.</summary>
    internal Action? BeforeReading { get; set; }

    /// <summary>Called before a timer is created.</summary>
    internal Action? BeforeCreating { get; set; }

    /// <summary>Called before a timer is changed.</summary>
    internal Action? BeforeChanging { get; set; }

    internal int ArmedTimers => _inner.ArmedTimers;

    public override long GetTimestamp()
    {
        BeforeReading?.Invoke();
        return _inner.GetTimestamp();
    }

    public override DateTimeOffset GetUtcNow() => _inner.GetUtcNow() + CalendarStep;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        BeforeCreating?.Invoke();
        return new Timer(this, _inner.CreateTimer(callback, state, dueTime, period));
    }

    internal void Advance(TimeSpan duration) => _inner.Advance(duration);

    /// <summary>An action that throws once, as if memory had run out, and does nothing from then on.</summary>
    internal static Action ThrowOnce()
    {
        var thrown = 0;
        return () =>
        {
            if (Interlocked.Exchange(ref thrown, 1) == 0)
            {
                throw new InsufficientMemoryException("Thrown by the test.");
            }
        };
    }

    private sealed class Timer(FaultyClock clock, ITimer inner) : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            clock.BeforeChanging?.Invoke();
            return inner.Change(dueTime, period);
        }

        public void Dispose() => inner.Dispose();

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
