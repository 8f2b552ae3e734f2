using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Faults;

/// <summary>Machines and services that have been up for ten years and for two hundred.</summary>
public class LongUptimeTests
{
    private const long Hundreds = 10_000_000;
    private const long Nanoseconds = 1_000_000_000;

    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    public static TheoryData<int, long> Uptimes { get; } = new()
    {
        { 10, Hundreds },
        { 10, Nanoseconds },
        { 200, Hundreds },
        { 200, Nanoseconds },
    };

    [Theory]
    [MemberData(nameof(Uptimes))]
    public void Service_ThatHasRunForYears_FiresExactly(int years, long frequency)
    {
        var clock = new HandClock(frequency);
        using var service = new TimerService(new(), clock: clock);
        using var metronome = service.CreatePeriodicTimer(static _ => { }, null, Years(1), Years(1));
        for (var year = 0; year < years; year++)
        {
            clock.SkipAndRing(Years(1));
        }

        Assert.Equal(years, service.GetSnapshot().Fired);
        AssertFiresExactly(service, clock);
    }

    private static void AssertFiresExactly(TimerService service, HandClock clock)
    {
        foreach (
            var dueTime in new[]
            {
                s_tick,
                TimeSpan.FromSeconds(1),
                TimeSpan.FromSeconds(40.96),
                TimeSpan.FromDays(30),
            })
        {
            var fired = 0;
            _ = service.Schedule(_ => fired++, null, dueTime);
            var delay = service.TryDelay(dueTime).AsTask();

            clock.SkipAndRing(dueTime - s_tick);
            Assert.Equal((0, false), (fired, delay.IsCompleted));

            clock.SkipAndRing(s_tick);
            Assert.Equal((1, true), (fired, delay.IsCompleted));
        }
    }

    private static TimeSpan Years(int count) => TimeSpan.FromDays(365) * count;
}
