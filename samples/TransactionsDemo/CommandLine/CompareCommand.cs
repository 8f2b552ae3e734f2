using System.CommandLine;
using System.Globalization;
using TransactionsDemo.Bank;
using TransactionsDemo.Comparison;
using TransactionsDemo.Report;

namespace TransactionsDemo.CommandLine;

/// <summary>The command line of the comparison.</summary>
internal sealed class CompareCommand
{
    private const string StaticTimers = "static-timers";
    private const string Plugin = "plugin";

    /// <summary>To start, to open the accounts, to count the money and to stop.</summary>
    private static readonly TimeSpan s_around = TimeSpan.FromSeconds(6);

    private readonly Option<string> _variants = DemoOption.Choice(
        "--variants",
        "What to compare: Orleans' static timers as they are and served by scalable timers, or Orleans alone and with "
        + "the plugin.",
        defaultValue: StaticTimers,
        allowed: [StaticTimers, Plugin]);

    private readonly Option<int[]> _concurrency = DemoOption.Counts(
        "--concurrency", "Transfers in progress at any time.", defaultValue: [16, 128, 512], from: 1, to: 100_000);

    private readonly Option<int[]> _silos = DemoOption.Counts(
        "--silos", "Silos.", defaultValue: [1, 2], from: 1, to: 16);

    private readonly Option<int> _rounds = DemoOption.Count(
        "--rounds", "Rounds of both variants, in alternating order.", defaultValue: 10, from: 1, to: 1000);

    private readonly Option<TimeSpan> _duration = DemoOption.Duration(
        "--duration",
        "How long each variant is measured in each round. Probes need more than 6s.",
        defaultValue: TimeSpan.FromSeconds(10),
        from: TimeSpan.FromMilliseconds(100),
        to: TimeSpan.FromHours(1));

    private readonly Option<TimeSpan> _warmUp = DemoOption.Duration(
        "--warm-up",
        "How long each is loaded before. Orleans' timers stay for 8s, so that shorter than that it is not yet as it "
        + "will be.",
        defaultValue: TimeSpan.FromSeconds(8),
        from: TimeSpan.FromMilliseconds(100),
        to: TimeSpan.FromHours(1));

    private readonly Option<int> _accounts = DemoOption.Count(
        "--accounts",
        "Accounts. With few of them, waiting for locks decides, and not the timers.",
        defaultValue: 5_000,
        from: 2,
        to: 1_000_000);

    private readonly Option<double> _hot = DemoOption.Share(
        "--hot", "Share of the transfers between hot accounts.", defaultValue: 0);

    private readonly Option<double> _slow = DemoOption.Share(
        "--slow", "Share of the transfers that hold an account for 5 to 25 ms.", defaultValue: 0);

    private readonly Option<string> _recovery = DemoOption.Choice(
        "--recovery",
        "Time-outs of Orleans' transactions.",
        defaultValue: "default",
        allowed: DemoOption.NamesOf<TransactionOptionsKind>());

    private readonly Option<int> _seed = DemoOption.Count(
        "--seed", "What the transfers depend on.", defaultValue: 1, from: 0, to: 1_000_000);

    private readonly Option<FileInfo?> _markdown = DemoOption.NewFile("--markdown", "File to write the tables to.");

    public Command Build()
    {
        var command = new Command(
            "compare",
            "Compares Orleans' static timers, as they are and served by scalable timers, or all of the plugin.")
        {
            _variants, _concurrency, _silos, _rounds, _duration, _warmUp, _accounts, _hot, _slow, _recovery, _seed,
            _markdown,
        };
#if !ORLEANS
        command.Validators.Add(static result => result.AddError("compare: this build is without Orleans."));
#endif
        command.SetAction(
            (result, cancellationToken) =>
                new MarkdownComparison(DemoConsole.Create(), Read(result)).RunAsync(cancellationToken));
        return command;
    }

    private ComparisonOptions Read(ParseResult result) => new()
    {
        Variants = result.GetRequiredValue(_variants) == Plugin ? VariantPair.Plugin : VariantPair.StaticTimers,
        Concurrencies = result.GetRequiredValue(_concurrency),
        Silos = result.GetRequiredValue(_silos),
        Rounds = result.GetRequiredValue(_rounds),
        Seed = result.GetRequiredValue(_seed),
        ExpectedRound = result.GetRequiredValue(_duration) + result.GetRequiredValue(_warmUp) + s_around,
        MarkdownFile = result.GetValue(_markdown),
        RoundArguments =
        [
            "--accounts", Text(result.GetRequiredValue(_accounts)),
            "--duration", DurationText.Format(result.GetRequiredValue(_duration)),
            "--warm-up", DurationText.Format(result.GetRequiredValue(_warmUp)),
            "--hot", Text(result.GetRequiredValue(_hot)),
            "--slow", Text(result.GetRequiredValue(_slow)),
            "--fail", "0",
            "--recovery", result.GetRequiredValue(_recovery),
        ],
    };

    private static string Text<T>(T number)
        where T : IFormattable =>
        number.ToString(null, CultureInfo.InvariantCulture);
}
