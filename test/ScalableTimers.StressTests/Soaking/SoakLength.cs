using System.Globalization;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>How long the soak runs.</summary>
internal static class SoakLength
{
    private const string Variable = "SCALABLE_TIMERS_SOAK";

    /// <summary>Whether <c>./test.sh --soak</c> requested the soak, so that nothing else runs.</summary>
    internal static bool IsAskedFor { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 };

    /// <summary>Unless requested, the soak takes a few seconds among the other stress tests.</summary>
    internal static TimeSpan Duration { get; } =
        Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } text
            ? Parse(text)
            : TimeSpan.FromSeconds(Stress.Choose(3, 60));

    /// <summary>A round keeps its timers, some hundred bytes each, until everything has ended.</summary>
    internal static TimeSpan Round { get; } = TimeSpan.FromSeconds(Math.Min(6, Duration.TotalSeconds));

    /// <summary>The file that the table is written to, or null.</summary>
    internal static string? ReportFile { get; } = Environment.GetEnvironmentVariable(Variable + "_REPORT");

    private static TimeSpan Parse(string text)
    {
        var unit = text[^1] switch { 's' => 1, 'm' => 60, 'h' => 3600, _ => 0 };
        var isNumber = int.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.None, null, out var count);
        return isNumber && unit > 0 && count > 0
            ? TimeSpan.FromSeconds((double)count * unit)
            : throw new InvalidOperationException(
                $"{Variable} is {text}; it must be a whole number with s, m or h behind it.");
    }
}
