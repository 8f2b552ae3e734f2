namespace ScalableTimers.Tests;

public class TimerServiceOptionsValidatorTests
{
    private static readonly TimeSpan s_step = TimeSpan.FromTicks(1);

    public static TheoryData<TimerServiceOptions, string> Invalid() => new()
    {
        { new() { Name = "" }, "Name is empty; it must be null or at least one character." },
        {
            new() { Resolution = TimeSpan.FromMilliseconds(1) - s_step },
            "Resolution is 00:00:00.0009999; it must be from 00:00:00.0010000 to 00:00:01."
        },
        {
            new() { Resolution = TimeSpan.FromSeconds(1) + s_step },
            "Resolution is 00:00:01.0000001; it must be from 00:00:00.0010000 to 00:00:01."
        },
        { new() { Driver = (TimerServiceDriver)7 }, "Driver is 7; it must be one of Thread, Timer." },
        {
            new() { CallbackExceptions = (CallbackExceptions)4 },
            "CallbackExceptions is 4; it must be one of Throw, Log."
        },
        {
            new() { TimeoutTokenBucket = TimeSpan.FromMilliseconds(1) - s_step },
            "TimeoutTokenBucket is 00:00:00.0009999; it must be from 00:00:00.0010000 to 00:01:00."
        },
        {
            new() { TimeoutTokenBucket = TimeSpan.FromMinutes(1) + s_step },
            "TimeoutTokenBucket is 00:01:00.0000001; it must be from 00:00:00.0010000 to 00:01:00."
        },
    };

    public static TheoryData<TimerServiceOptions> Valid() => new()
    {
        new TimerServiceOptions(),
        new TimerServiceOptions { Name = "a" },
        new TimerServiceOptions
        {
            Resolution = TimeSpan.FromMilliseconds(1),
            TimeoutTokenBucket = TimeSpan.FromMilliseconds(1),
        },
        new TimerServiceOptions
        {
            Resolution = TimeSpan.FromSeconds(1),
            TimeoutTokenBucket = TimeSpan.FromMinutes(1),
        },
        new TimerServiceOptions { Driver = TimerServiceDriver.Timer },
    };

    [Theory]
    [MemberData(nameof(Invalid), DisableDiscoveryEnumeration = true)]
    public void Validate_OneValueIsOutOfRange_FailsWithPropertyValueAndRange(
        TimerServiceOptions options, string expected)
    {
        var result = new TimerServiceOptionsValidator().Validate(null, options);

        Assert.Equal((true, false), (result.Failed, result.Succeeded));
        Assert.Equal(["TimerServiceOptions." + expected], result.Failures);
        var thrown = Assert.Throws<ArgumentException>("given", () => options.ThrowIfInvalid("given"));
        Assert.StartsWith("TimerServiceOptions." + expected, thrown.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Valid), DisableDiscoveryEnumeration = true)]
    public void Validate_EndsOfTheRanges_Succeeds(TimerServiceOptions options)
    {
        Assert.True(new TimerServiceOptionsValidator().Validate(null, options).Succeeded);
        options.ThrowIfInvalid("given");
    }
}
