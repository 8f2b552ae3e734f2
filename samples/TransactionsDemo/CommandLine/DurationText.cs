using System.Globalization;

namespace TransactionsDemo.CommandLine;

/// <summary>Durations as people type them: a number and a unit.</summary>
internal static class DurationText
{
    // Milliseconds come first, because their unit ends with the unit of seconds.
    private static readonly (string Unit, TimeSpan Length)[] s_units =
    [
        ("ms", TimeSpan.FromMilliseconds(1)),
        ("s", TimeSpan.FromSeconds(1)),
        ("m", TimeSpan.FromMinutes(1)),
        ("h", TimeSpan.FromHours(1)),
    ];

    public static bool TryParse(string text, out TimeSpan duration)
    {
        duration = default;
        var (unit, length) = s_units.FirstOrDefault(each => text.EndsWith(each.Unit, StringComparison.Ordinal));
        var digits = text.AsSpan(0, text.Length - (unit?.Length ?? 0));
        if (unit is null
            || !double.TryParse(digits, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
            || number * length.TotalDays > 365)
        {
            return false;
        }

        duration = number * length;
        return true;
    }

    /// <summary>In the largest unit that gives a whole number.</summary>
    public static string Format(TimeSpan duration)
    {
        var (unit, length) = s_units.Last(each => each.Unit == "ms" || duration.Ticks % each.Length.Ticks == 0);
        return $"{duration / length}{unit}";
    }
}
