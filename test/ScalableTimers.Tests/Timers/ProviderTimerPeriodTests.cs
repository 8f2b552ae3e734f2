using System.Collections.Concurrent;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// .NET's timers count in whole milliseconds: a shorter period means none, and code that is given another clock relies
/// on that.
/// </summary>
public class ProviderTimerPeriodTests
{
    private static readonly TimeSpan s_millisecond = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    // Seen to fail when every positive period counts as one, as in CreateTimer of the service: fired 1,001 times.
    [Theory]
    [InlineData(-9_999, 1)]
    [InlineData(0, 1)]
    [InlineData(1, 1)]
    [InlineData(9_999, 1)]
    [InlineData(10_000, 1_000)]
    public void CreateTimerOrChange_PeriodOfLessThanAMillisecond_FiresOnce(long period, int firings)
    {
        foreach (var isChanged in (bool[])[false, true])
        {
            var clock = new ManualTimeProvider();
            using var service = new TimerService(new() { Resolution = s_millisecond }, clock);
            var fired = new ConcurrentQueue<TimeSpan>();
            using var timer = service.TimeProvider.CreateTimer(
                clock.Note(fired), null, s_millisecond, isChanged ? s_second : new TimeSpan(period));
            Assert.True(!isChanged || timer.Change(s_millisecond, new TimeSpan(period)));

            clock.Advance(s_second);

            Assert.Equal((firings, s_millisecond), (fired.Count, fired.First()));
            Assert.Equal(firings == 1 ? 0 : 1, service.GetSnapshot().Pending);
        }
    }
}
