using System.Globalization;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>How long the soak runs, and the settings that follow from it.</summary>
internal static class SoakLength
{
    private const string Variable = "SCALABLE_TIMERS_SOAK";

    /// <summary>Whether the soak was requested, on a machine that does nothing else.</summary>
    internal static bool IsAskedFor { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 };

    /// <summary>
    /// Set by <c>./test.sh --soak</c>. Without it the soak is a few seconds among the other stress tests.
    /// </summary>
    internal static TimeSpan Duration { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } text
        ? Parse(text)
        : TimeSpan.FromSeconds(Stress.Choose(4, 60));

    /// <summary>The file that the table is written to besides the test's output, or null.</summary>
    internal static string? ReportFile { get; } = Environment.GetEnvironmentVariable(Variable + "_REPORT");

    /// <summary>
    /// How many timers are pending at once in the middle of the run. There are ten million if the run takes five
    /// minutes or longer.
    /// </summary>
    internal static int Mass { get; } = (int)Math.Clamp(
        10_000_000 * (Duration / TimeSpan.FromMinutes(5)), 50_000, 10_000_000);

    /// <summary>The time within which those that are not cancelled fire.</summary>
    internal static TimeSpan MassFiring { get; } = Duration / 8;

    /// <summary>The time between two memory samples. Each sample stops the world for two full collections.</summary>
    internal static TimeSpan BetweenMemorySamples { get; } = Duration / 24 > TimeSpan.FromSeconds(1)
        ? Duration / 24
        : TimeSpan.FromSeconds(1);

    private static TimeSpan Parse(string text)
    {
        var unit = text[^1] switch
        {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            _ => 0,
        };
        return unit > 0
            && int.TryParse(
                text.AsSpan(0, text.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture, out var count)
            && count > 0
            ? TimeSpan.FromSeconds((double)count * unit)
            : throw new InvalidOperationException(
                $"{Variable} is {text}; it must be a whole number with s, m or h behind it.");
    }
}
