using ScalableTimers.Tests.Clock;

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

    [Fact]
    public void Change_AfterTheServiceWasCreated_HasNoEffect()
    {
        var clock = new ManualTimeProvider();
        var options = new TimerServiceOptions();
        using var service = new TimerService(options, clock);
        options.Resolution = TimeSpan.FromSeconds(1);
        options.TimeoutTokenBucket = TimeSpan.FromMinutes(1);
        var fired = false;
        service.Schedule(_ => fired = true, null, TimeSpan.FromMilliseconds(10));
        var token = service.GetTimeoutToken(TimeSpan.FromMilliseconds(250));

        clock.Advance(TimeSpan.FromMilliseconds(10));
        Assert.True(fired);
        clock.Advance(TimeSpan.FromMilliseconds(240));
        Assert.True(token.IsCancellationRequested);
    }
}
