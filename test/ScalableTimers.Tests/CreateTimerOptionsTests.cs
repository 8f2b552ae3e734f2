namespace ScalableTimers.Tests;

public partial class CreateTimerOptionsTests
{
    [Fact]
    public void New_Defaults_AreThoseDocumented()
    {
        var options = new CreateTimerOptions();

        Assert.Equal((TimeSpan.Zero, TimerOverlap.Skip), (options.Tolerance, options.Overlap));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(-10_000)]
    public void Tolerance_NegativeOrInfinite_IsNamedWithValueAndRange(long duration)
    {
        var options = new CreateTimerOptions { Tolerance = TimeSpan.FromTicks(duration) };

        AssertRefused(
            options,
            $"CreateTimerOptions.Tolerance is {options.Tolerance}; it must be from 00:00:00 to {TimeSpan.MaxValue}.");
    }

    [Fact]
    public void Overlap_Unknown_IsNamedWithValueAndRange() =>
        AssertRefused(
            new CreateTimerOptions { Overlap = (TimerOverlap)7 },
            "CreateTimerOptions.Overlap is 7; it must be one of Skip, Allow.");

    [Fact]
    public void ThrowIfInvalid_EndsOfTheRanges_ThrowsNothing()
    {
        foreach (var overlap in Enum.GetValues<TimerOverlap>())
        {
            new CreateTimerOptions { Tolerance = TimeSpan.Zero, Overlap = overlap }.ThrowIfInvalid("options");
            new CreateTimerOptions { Tolerance = TimeSpan.MaxValue, Overlap = overlap }.ThrowIfInvalid("options");
        }
    }

    private static void AssertRefused(CreateTimerOptions options, string expected)
    {
        var exception = Assert.Throws<ArgumentException>("settings", () => options.ThrowIfInvalid("settings"));

        Assert.Contains(expected, exception.Message, StringComparison.Ordinal);
    }
}
