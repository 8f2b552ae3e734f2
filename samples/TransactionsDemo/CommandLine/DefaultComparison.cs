using System.CommandLine;
using TransactionsDemo.Comparison;

namespace TransactionsDemo.CommandLine;

/// <summary>
/// What is done when nobody asks for kinds of timers: Orleans alone is compared with Orleans and the plugin. The
/// options that a bank is told are handed on to each round as they were typed.
/// </summary>
internal sealed class DefaultComparison
{
    public const int Concurrency = 128;

    /// <summary>
    /// So short that the whole comparison takes less than a minute. The static timers of a transaction stay for 8
    /// seconds: a longer load has somewhat more of them pending at its end.
    /// </summary>
    public static readonly TimeSpan Duration = TimeSpan.FromSeconds(4);

    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(1);

    /// <summary>To start, to open the accounts, to count the money and to stop.</summary>
    private static readonly TimeSpan s_around = TimeSpan.FromSeconds(6.5);

    /// <summary>As with the other comparison, locks and faults do not decide.</summary>
    private static readonly (string Option, string Value)[] s_defaults =
        [("--accounts", "2000"), ("--hot", "0"), ("--slow", "0"), ("--fail", "0"), ("--recovery", "default")];

    public required Option<TimeSpan?> DurationOption { get; init; }

    public required Option<TimeSpan?> WarmUpOption { get; init; }

    public required Option<int?> ConcurrencyOption { get; init; }

    public required Option<int> SilosOption { get; init; }

    public required Option<int> RoundsOption { get; init; }

    public required Option<int> SeedOption { get; init; }

    public required Option<FileInfo?> JsonOption { get; init; }

    public required Option<FileInfo?> ReportOption { get; init; }

    public required Option<FileInfo?> MarkdownOption { get; init; }

    /// <summary>What else has a meaning for the rounds.</summary>
    public required IReadOnlyList<Option> HandedOn { get; init; }

    public ComparisonOptions Read(ParseResult result)
    {
        var duration = result.GetValue(DurationOption) ?? Duration;
        var warmUp = result.GetValue(WarmUpOption) ?? (duration < s_warmUp ? duration : s_warmUp);
        var typed = HandedOn
            .Select(option => (option.Name, Typed: result.GetResult(option)))
            .Where(static each => each.Typed is { Implicit: false, Tokens.Count: 1 })
            .ToDictionary(static each => each.Name, static each => each.Typed!.Tokens[0].Value);
        foreach (var (option, value) in s_defaults)
        {
            typed.TryAdd(option, value);
        }

        return new ComparisonOptions
        {
            Variants = VariantPair.Plugin,
            Concurrencies = [result.GetValue(ConcurrencyOption) ?? Concurrency],
            Silos = [result.GetRequiredValue(SilosOption)],
            Rounds = result.GetRequiredValue(RoundsOption),
            Seed = result.GetRequiredValue(SeedOption),
            ExpectedRound = duration + warmUp + s_around,
            JsonFile = result.GetValue(JsonOption),
            ReportFile = result.GetValue(ReportOption),
            MarkdownFile = result.GetValue(MarkdownOption),
            RoundArguments =
            [
                "--duration", DurationText.Format(duration),
                "--warm-up", DurationText.Format(warmUp),
                .. typed.SelectMany(static each => new[] { each.Key, each.Value }),
            ],
        };
    }
}
