using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

public class ScalableTimerOptionsTests
{
    [Fact]
    public void New_Defaults_AreThoseDocumented()
    {
        var options = new ScalableTimerOptions();

        Assert.Null(options.Name);
        Assert.Equal(TimeSpan.FromMilliseconds(10), options.Resolution);
        Assert.Equal(TimerDriverKind.Auto, options.Driver);
        Assert.Equal(FiringMode.Auto, options.Firing);
        Assert.Equal(TimeSpan.FromMilliseconds(250), options.TimeoutTokenBucket);
        Assert.Empty(options.Errors());
    }

    [Theory]
    [InlineData(0.9999)]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(1_000.0001)]
    public void Resolution_OutOfRange_IsNamedWithValueAndRange(double milliseconds)
    {
        var options = new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(milliseconds) };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options));

        Assert.Equal("options", exception.ParamName);
        Assert.Contains(
            $"ScalableTimerOptions.Resolution is {options.Resolution}; it must be from 00:00:00.0010000 to 00:00:01.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(1.5)]
    [InlineData(1_000)]
    public void Resolution_InRange_IsAccepted(double milliseconds) =>
        new TimerService(new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(milliseconds) }).Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(60_001)]
    public void TimeoutTokenBucket_OutOfRange_IsNamedWithValueAndRange(double milliseconds)
    {
        var options = new ScalableTimerOptions { TimeoutTokenBucket = TimeSpan.FromMilliseconds(milliseconds) };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options));

        Assert.Contains(
            $"ScalableTimerOptions.TimeoutTokenBucket is {options.TimeoutTokenBucket}; it must be from "
            + "00:00:00.0010000 to 00:01:00.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Driver_Unknown_IsNamedWithItsValues()
    {
        var options = new ScalableTimerOptions { Driver = (TimerDriverKind)7 };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options));

        Assert.Contains(
            "ScalableTimerOptions.Driver is 7; it must be one of Auto, Timer, Thread.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Driver_ThreadWithAnotherClock_IsRefused()
    {
        var options = new ScalableTimerOptions { Driver = TimerDriverKind.Thread };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options, new ManualTimeProvider()));

        Assert.Contains("ScalableTimerOptions.Driver is Thread", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(TimerDriverKind.Auto)]
    [InlineData(TimerDriverKind.Thread)]
    public void Firing_OnTheDriverThread_WithTheSystemClockAndAThread_IsAccepted(TimerDriverKind driver) =>
        new TimerService(new ScalableTimerOptions { Firing = FiringMode.DriverThread, Driver = driver }).Dispose();

    [Fact]
    public void Firing_OnTheDriverThread_DriverWithoutAThread_IsRefused()
    {
        var options = new ScalableTimerOptions { Firing = FiringMode.DriverThread, Driver = TimerDriverKind.Timer };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options));

        Assert.Contains(
            "ScalableTimerOptions.Firing is DriverThread, but Driver is Timer, which has no thread. With this firing "
            + "mode Driver must be Auto or Thread.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Firing_NotDefined_IsRefused()
    {
        var options = new ScalableTimerOptions { Firing = (FiringMode)4 };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options));

        Assert.Contains(
            "ScalableTimerOptions.Firing is 4; it must be one of Auto, ThreadPool, DriverThread, InOrder.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Firing_InOrderWithTheSystemClock_IsRefused()
    {
        var options = new ScalableTimerOptions { Firing = FiringMode.InOrder };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options));

        Assert.Contains(
            "ScalableTimerOptions.Firing is InOrder, which needs a clock other than the system's. "
            + "With the system clock it must be one of Auto, ThreadPool, DriverThread.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FiringMode.Auto, true)]
    [InlineData(FiringMode.InOrder, true)]
    [InlineData(FiringMode.ThreadPool, false)]
    public void Firing_WithAnotherClock_IsInOrderUnlessOnThePool(FiringMode firing, bool isInOrder)
    {
        using var service = new TimerService(new ScalableTimerOptions { Firing = firing }, new ManualTimeProvider());

        Assert.Equal(isInOrder, service.FiresInOrder);
    }

    [Fact]
    public void Firing_OnTheDriverThread_WithAnotherClock_IsRefused()
    {
        var options = new ScalableTimerOptions { Firing = FiringMode.DriverThread };

        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options, new ManualTimeProvider()));

        Assert.Contains(
            "ScalableTimerOptions.Firing is DriverThread, which needs the system clock. "
            + "With another clock it must be one of Auto, ThreadPool, InOrder.",
            exception.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Errors_SeveralProperties_NamesThemAll()
    {
        var options = new ScalableTimerOptions
        {
            Resolution = TimeSpan.Zero,
            TimeoutTokenBucket = TimeSpan.MaxValue,
            Driver = (TimerDriverKind)(-1),
        };

        Assert.Equal(3, options.Errors().Count());
        var exception = Assert.Throws<ArgumentException>(() => new TimerService(options));
        Assert.All(
            ["Resolution", "TimeoutTokenBucket", "Driver"],
            property =>
                Assert.Contains("ScalableTimerOptions." + property, exception.Message, StringComparison.Ordinal));
    }

    [Fact]
    public void Change_AfterTheServiceWasCreated_HasNoEffect()
    {
        var clock = new ManualTimeProvider();
        var options = new ScalableTimerOptions();
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
