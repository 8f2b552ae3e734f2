namespace ScalableTimers.Tests;

/// <summary>The .NET types that are built on a time provider, in virtual time.</summary>
public sealed class ScalableTimeProviderTests : InVirtualTime
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private TimeProvider Provider => Service.TimeProvider;

    [Fact]
    public void Time_IsThatOfTheClock()
    {
        Clock.Advance(s_second);

        Assert.Equal(Clock.GetUtcNow(), Provider.GetUtcNow());
        Assert.Equal(Clock.GetTimestamp(), Provider.GetTimestamp());
        Assert.Equal(Clock.TimestampFrequency, Provider.TimestampFrequency);
        Assert.Same(Clock.LocalTimeZone, Provider.LocalTimeZone);
        Assert.Equal(s_second, Provider.GetElapsedTime(0));
    }

    [Fact]
    public void Dispose_PendingTimers_CanStillBeChangedAndDisposed()
    {
        var fired = new List<TimeSpan>();
        var moved = Provider.CreateTimer(_ => fired.Add(Clock.Elapsed), null, s_second, Timeout.InfiniteTimeSpan);
        var woken = Provider.CreateTimer(
            _ => fired.Add(Clock.Elapsed), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        var disposed = Provider.CreateTimer(static _ => Assert.Fail("Disposed."), null, s_second, s_second);
        Service.Dispose();

        Assert.True(moved.Change(2 * s_second, Timeout.InfiniteTimeSpan));
        Assert.True(woken.Change(3 * s_second, s_second));
        disposed.Dispose();
        Assert.False(disposed.Change(s_second, s_second));
        Clock.Advance(4 * s_second);

        Assert.Equal([2 * s_second, 3 * s_second, 4 * s_second], fired);
        Assert.True(woken.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan));
        Assert.Equal(0, Clock.ArmedTimers);
    }
}
