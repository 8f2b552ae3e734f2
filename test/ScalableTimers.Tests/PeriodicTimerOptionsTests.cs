namespace ScalableTimers.Tests;

public class PeriodicTimerOptionsTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public void New_Defaults_AreThoseDocumented()
    {
        var options = new PeriodicTimerOptions();

        Assert.Equal((TimeSpan.Zero, TimerOverlap.Skip), (options.Tolerance, options.Overlap));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(-10_000)]
    public void Tolerance_NegativeOrInfinite_IsNamedWithValueAndRange(long duration)
    {
        var options = new PeriodicTimerOptions { Tolerance = TimeSpan.FromTicks(duration) };

        AssertRefused(options, $"PeriodicTimerOptions.Tolerance is {options.Tolerance}; it must be from 00:00:00 to {TimeSpan.MaxValue}.");
    }

    [Fact]
    public void Overlap_Unknown_IsNamedWithValueAndRange() =>
        AssertRefused(new PeriodicTimerOptions { Overlap = (TimerOverlap)7 }, "PeriodicTimerOptions.Overlap is 7; it must be one of Skip, Allow.");

    [Fact]
    public void Options_AreReadOnce()
    {
        var clock = new Testing.ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var options = new PeriodicTimerOptions();
        var fired = 0;
        using var timer = service.CreateTimer(_ => fired++, null, s_second, s_second, options);
        options.Tolerance = TimeSpan.FromHours(1);

        timer.Change(s_second, Timeout.InfiniteTimeSpan);
        clock.Advance(s_second);

        Assert.Equal(1, fired);
    }

    private static void AssertRefused(PeriodicTimerOptions options, string expected)
    {
        using var service = new TimerService();

        var exception = Assert.Throws<ArgumentException>(() => service.CreateTimer(static _ => { }, null, s_second, s_second, options));

        Assert.Equal("options", exception.ParamName);
        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }
}
