using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>An option out of its range, and what an error about it must say.</summary>
internal sealed record InvalidOption(Action<ScalableTimerOptions> Set, params string[] Told)
{
    internal static InvalidOption Of(string property) => property switch
    {
        nameof(ScalableTimerOptions.Resolution) => new(
            static options => options.Resolution = TimeSpan.FromSeconds(2),
            "ScalableTimerOptions.Resolution", "00:00:02", "00:00:00.0010000", "00:00:01"),
        nameof(ScalableTimerOptions.Driver) => new(
            static options => options.Driver = (TimerDriverKind)42,
            "ScalableTimerOptions.Driver", "42", "Auto", "Timer", "Thread"),
        nameof(ScalableTimerOptions.TimeoutTokenBucket) => new(
            static options => options.TimeoutTokenBucket = TimeSpan.Zero,
            "ScalableTimerOptions.TimeoutTokenBucket", "00:00:00;", "00:00:00.0010000", "00:01:00"),
        _ => throw new ArgumentOutOfRangeException(nameof(property)),
    };
}
