using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace TransactionsDemo.CommandLine;

/// <summary>
/// Options whose errors name the option, the invalid value and the allowed values.
/// </summary>
internal static class DemoOption
{
    /// <summary>Parses a value; false when it is not allowed.</summary>
    private delegate bool Parser<T>(string text, out T value);

    public static Option<string> Choice(
        string name, string description, string defaultValue, string[] allowed, string hint = "")
    {
        return Create(
            name,
            description,
            string.Join('|', allowed),
            defaultValue,
            $"one of {string.Join(", ", allowed)}{hint}",
            TryParse);

        bool TryParse(string text, out string value)
        {
            value = text;
            return allowed.Contains(text);
        }
    }

    /// <summary>The names of an enumeration, as they are typed.</summary>
    public static string[] NamesOf<T>()
        where T : struct, Enum =>
        [.. Enum.GetNames<T>().Select(static name => name.ToLowerInvariant())];

    /// <summary>Without a default.</summary>
    public static Option<string?> OptionalChoice(string name, string description, string[] allowed) => new(name)
    {
        Description = description,
        HelpName = string.Join('|', allowed),
        CustomParser = result => Parse(
            result, name, $"one of {string.Join(", ", allowed)}", (string text, out string? value) =>
                allowed.Contains(value = text)),
    };

    /// <summary>Several whole numbers, with commas between them.</summary>
    public static Option<int[]> Counts(string name, string description, int[] defaultValue, int from, int to)
    {
        var parser = CountParser(from, to);
        return Create(
            name,
            description,
            "numbers",
            defaultValue,
            $"{Range(from, to)}, or several with commas between them",
            TryParse);

        bool TryParse(string text, out int[] value)
        {
            var parts = text.Split(',');
            value =
            [
                .. parts.Where(part => parser(part, out _)).Select(
                    static part => int.Parse(part, CultureInfo.InvariantCulture))
            ];
            return value.Length == parts.Length;
        }
    }

    public static Option<int> Count(string name, string description, int defaultValue, int from, int to) =>
        Create(name, description, "number", defaultValue, Range(from, to), CountParser(from, to));

    /// <summary>Without a default.</summary>
    public static Option<int?> OptionalCount(string name, string description, int from, int to) => new(name)
    {
        Description = description,
        HelpName = "number",
        CustomParser = result => Parse(result, name, Range(from, to), CountParser(from, to)),
    };

    public static Option<double> Share(string name, string description, double defaultValue)
    {
        return Create(name, description, "share", defaultValue, "a share from 0 to 1, like 0.05", TryParse);

        static bool TryParse(string text, out double value) =>
            double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value)
                && value is >= 0 and <= 1;
    }

    public static Option<TimeSpan> Duration(
        string name, string description, TimeSpan defaultValue, TimeSpan from, TimeSpan to) =>
        Create(name, description, "duration", defaultValue, Range(from, to), DurationParser(from, to));

    /// <summary>Without a default.</summary>
    public static Option<TimeSpan?> OptionalDuration(string name, string description, TimeSpan from, TimeSpan to) =>
        new(name)
        {
            Description = description,
            HelpName = "duration",
            CustomParser = result => Parse(result, name, Range(from, to), DurationParser(from, to)),
        };

    public static Option<FileInfo?> NewFile(string name, string description) => new(name)
    {
        Description = description,
        HelpName = "file",
        CustomParser = result => Parse<FileInfo>(result, name, "a file in a folder that exists", TryParseNewFile),
    };

    private static bool TryParseNewFile(string text, out FileInfo value)
    {
        value = new FileInfo(text.Length == 0 ? "." : text);
        return text.Length > 0 && value.Directory is { Exists: true } && !Directory.Exists(value.FullName);
    }

    private static Option<T> Create<T>(
        string name, string description, string helpName, T defaultValue, string allowed, Parser<T> tryParse)
    {
        return new Option<T>(name)
        {
            Description = description,
            HelpName = helpName,
            DefaultValueFactory = _ => defaultValue,
            CustomParser = result => Parse(result, name, allowed, tryParse),
        };
    }

    private static T? Parse<T>(ArgumentResult result, string name, string allowed, Parser<T> tryParse)
    {
        var text = result.Tokens.Count == 1 ? result.Tokens[0].Value : string.Empty;
        if (tryParse(text, out var value))
        {
            return value;
        }

        result.AddError($"{name} {text}: must be {allowed}.");
        return default;
    }

    private static Parser<int> CountParser(int from, int to) => (string text, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) && value >= from && value <= to;

    private static Parser<TimeSpan> DurationParser(TimeSpan from, TimeSpan to) => (string text, out TimeSpan value) =>
        DurationText.TryParse(text, out value) && value >= from && value <= to;

    private static string Range(TimeSpan from, TimeSpan to) =>
        $"a number and a unit, like 10s, 500ms or 1.5m, from {DurationText.Format(from)} to {DurationText.Format(to)}";

    private static string Range(int from, int to) => $"a whole number from {from} to {to}";
}
