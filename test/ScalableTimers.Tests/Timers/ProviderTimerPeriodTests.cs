using System.Collections.Concurrent;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// .NET's timers count in whole milliseconds: a shorter period means none, and code that is given another clock relies
/// on that.
/// </summary>
public sealed class ProviderTimerPeriodTests : IDisposable
{
    private static readonly TimeSpan s_millisecond = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;
    private readonly ConcurrentQueue<TimeSpan> _fired = new();

    public ProviderTimerPeriodTests() =>
        _service = new TimerService(new() { Resolution = s_millisecond }, _clock);

    public void Dispose() => _service.Dispose();

    /// <summary>A period in ticks of a time span, and how often the timer fires in a second.</summary>
    public static TheoryData<long, int> Periods => new()
    {
        { -9_999, 1 },
        { 0, 1 },
        { 1, 1 },
        { 9_999, 1 },
        { 10_000, 1_000 },
    };

    // Seen to fail when every positive period counts as one, as in CreateTimer of the service: fired 1,001 times.
    [Theory]
    [MemberData(nameof(Periods))]
    public void CreateTimer_PeriodOfLessThanAMillisecond_FiresOnce(long period, int firings)
    {
        using var timer = _service.TimeProvider.CreateTimer(
            _clock.Note(_fired), null, s_millisecond, new TimeSpan(period));

        _clock.Advance(s_second);

        AssertFired(firings);
    }

    [Theory]
    [MemberData(nameof(Periods))]
    public void Change_PeriodOfLessThanAMillisecond_FiresOnce(long period, int firings)
    {
        using var timer = _service.TimeProvider.CreateTimer(_clock.Note(_fired), null, s_second, s_second);
        Assert.True(timer.Change(s_millisecond, new TimeSpan(period)));

        _clock.Advance(s_second);

        AssertFired(firings);
    }

    // The clock drives what outlives the service.
    [Theory]
    [MemberData(nameof(Periods))]
    public void CreateTimer_TheServiceIsDisposed_FiresAsOften(long period, int firings)
    {
        _service.Dispose();
        using var timer = _service.TimeProvider.CreateTimer(
            _clock.Note(_fired), null, s_millisecond, new TimeSpan(period));

        _clock.Advance(s_second);

        AssertFired(firings);
    }

    private void AssertFired(int firings)
    {
        Assert.Equal(firings, _fired.Count);
        Assert.Equal(s_millisecond, _fired.First());
        Assert.Equal(firings == 1 ? 0 : 1, _service.GetSnapshot().Pending);
    }
}
