namespace ScalableTimers.Tests;

public class TimerServiceOptionsTests
{
    [Fact]
    public void New_Defaults_AreThoseDocumented()
    {
        var options = new TimerServiceOptions();

        Assert.Null(options.Name);
        Assert.Equal(TimeSpan.FromMilliseconds(10), options.Resolution);
        Assert.Equal(TimerServiceDriver.Thread, options.Driver);
        Assert.Equal(TimeSpan.FromMilliseconds(250), options.TimeoutTokenBucket);
        Assert.Empty(options.Errors());
    }

    [Fact]
    public void Errors_SeveralProperties_NamesThemAll()
    {
        var options = new TimerServiceOptions
        {
            Resolution = TimeSpan.Zero,
            TimeoutTokenBucket = TimeSpan.MaxValue,
            Driver = (TimerServiceDriver)(-1),
        };

        Assert.Equal(3, options.Errors().Count());
        var exception = Assert.Throws<ArgumentException>("options", () => new TimerService(options));
        Assert.All(
            ["Resolution", "TimeoutTokenBucket", "Driver"],
            property =>
                Assert.Contains("TimerServiceOptions." + property, exception.Message, StringComparison.Ordinal));
    }
}
