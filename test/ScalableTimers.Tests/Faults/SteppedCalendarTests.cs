using System.Collections.Concurrent;

namespace ScalableTimers.Tests.Faults;

/// <summary>The wall clock is set by a year. Nothing changes, because everything is measured by timestamps.</summary>
public class SteppedCalendarTests
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_year = TimeSpan.FromDays(365);

    // Fails if TickClock.Now counts from GetUtcNow. After a step forward everything fires at the first advance, and
    // after a step back nothing does.
    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public void Calendar_IsSetByAYear_EverythingFiresWhenItsTimeHasPassed(int years)
    {
        var clock = new FaultyClock();
        using var service = new TimerService(clock: clock);
        var fired = new ConcurrentQueue<string>();
        void Note(string what) => fired.Enqueue(what);

        _ = service.Schedule(_ => Note("callback"), null, s_minute);
        service.TryDelay(s_minute, TestContext.Current.CancellationToken).GetAwaiter().OnCompleted(() => Note("delay"));
        using var provided = service.TimeProvider.CreateTimer(
            _ => Note("provider"), null, s_minute, Timeout.InfiniteTimeSpan);
        using var periodic = service.CreateTimer(_ => Note("periodic"), null, s_minute, s_minute);
        using var registration = service.GetTimeoutToken(s_minute).Register(() => Note("token"));
        using var lease = service.RentTimeout(s_minute, TestContext.Current.CancellationToken);
        using var leased = lease.Token.Register(() => Note("lease"));

        clock.CalendarStep = years * s_year;
        clock.Advance(s_minute - TimeSpan.FromMilliseconds(10));
        Assert.Empty(fired);
        Assert.Equal(clock.GetUtcNow(), service.TimeProvider.GetUtcNow());

        clock.CalendarStep = default;
        clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(["callback", "delay", "lease", "periodic", "provider", "token"], fired.Order());

        // A timer that is started after the step also counts from now.
        clock.CalendarStep = years * s_year;
        _ = service.Schedule(_ => Note("later"), null, s_minute / 2);
        clock.Advance(s_minute / 2);
        Assert.Equal("later", fired.Last());
        Assert.Equal(7, fired.Count);
    }
}
