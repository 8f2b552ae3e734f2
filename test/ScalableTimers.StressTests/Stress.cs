using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;

// Each test takes all processors. If two tests ran at once, each would measure the other.
[assembly: Xunit.v3.Parallelization(Mode = Xunit.Sdk.ParallelMode.None)]

namespace ScalableTimers.StressTests;

/// <summary>The length and the load of the tests, their random numbers, and their failures.</summary>
internal static class Stress
{
    private const string FormVariable = "SCALABLE_TIMERS_STRESS";
    private const string SeedVariable = "SCALABLE_TIMERS_STRESS_SEED";

    /// <summary>A timer this late counts as lost: even on a busy machine, only a hang takes so long.</summary>
    internal static TimeSpan Guard { get; } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The seed, which every failure prints. It determines due times and choices; the machine determines the
    /// interleaving.
    /// </summary>
    internal static int Seed { get; } =
        int.TryParse(Environment.GetEnvironmentVariable(SeedVariable), out var seed) ? seed : Random.Shared.Next();

    private static bool IsFull { get; } = Environment.GetEnvironmentVariable(FormVariable) switch
    {
        null or "" or "short" => false,
        "full" => true,
        var other => throw new InvalidOperationException($"{FormVariable} is {other}; it must be short or full."),
    };

    internal static T Choose<T>(T shortForm, T fullForm) => IsFull ? fullForm : shortForm;

    /// <summary>
    /// When a test begins its last round. On a busy machine a test runs fewer rounds, but not longer.
    /// </summary>
    internal static long LastRoundAt(double shortSeconds, double fullSeconds) =>
        StressTime.In(TimeSpan.FromSeconds(Choose(shortSeconds, fullSeconds)));

    /// <summary>A generator for one thread or round.</summary>
    internal static Random NewRandom(int salt) => new(unchecked((Seed * 397) ^ (salt * 7919)));

    internal static TimerService NewService(
        TimerServiceDriver driver,
        double resolutionMilliseconds = 1,
        double tokenBucketMilliseconds = 250,
        ILogger<TimerService>? logger = null) =>
        new(
            new()
            {
                Driver = driver,
                Resolution = StressTime.Milliseconds(resolutionMilliseconds),
                TimeoutTokenBucket = StressTime.Milliseconds(tokenBucketMilliseconds),
                CallbackExceptions = logger is null ? CallbackExceptions.Throw : CallbackExceptions.Log,
            },
            logger: logger);

    /// <summary>Waits until a condition is true, or fails.</summary>
    internal static void WaitUntil(string phase, Func<bool> isDone, Func<string> describe)
    {
        var giveUpAt = StressTime.In(Guard);
        while (!isDone())
        {
            if (StressTime.IsOver(giveUpAt))
            {
                Fail(phase, $"gave up after {Guard.TotalSeconds} s: {describe()}");
            }

            Thread.Sleep(1);
        }
    }

    /// <summary>Waits for a task, or fails.</summary>
    internal static async Task WaitFor(string phase, Task task, string what)
    {
        if (await Task.WhenAny(task, Task.Delay(Guard)) != task)
        {
            Fail(phase, $"gave up after {Guard.TotalSeconds} s: {what}");
        }

        await task;
    }

    [DoesNotReturn]
    internal static void Fail(string phase, string message) =>
        throw new Xunit.Sdk.XunitException($"{phase} (seed {Seed}): {message}");

    internal static void Log(string line) => TestContext.Current.TestOutputHelper?.WriteLine(line);
}
