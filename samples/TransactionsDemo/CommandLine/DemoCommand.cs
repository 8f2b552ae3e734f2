using System.CommandLine;
using System.CommandLine.Parsing;
using TransactionsDemo.Bank;
using TransactionsDemo.Comparison;
using TransactionsDemo.Load;
using TransactionsDemo.Report;
using TransactionsDemo.Timers;

namespace TransactionsDemo.CommandLine;

/// <summary>The command line.</summary>
internal sealed class DemoCommand
{
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(1.5);

    /// <summary>
    /// How long a load lasts after the kill. With Orleans' defaults, accounts are in doubt for a minute.
    /// </summary>
    private static readonly TimeSpan s_recoveryWithin = TimeSpan.FromSeconds(90);

    private static readonly TimeSpan s_leastAfterKill = TimeSpan.FromSeconds(5);

    private readonly Option<string> _engine = DemoOption.Choice(
        "--engine",
        "What to run the bank with: real silos, or actors without Orleans.",
        defaultValue: BankEngines.All[0].Name,
        allowed: [.. BankEngines.All.Select(static engine => engine.Name), BankEngines.AllOfThem],
        BankEngines.Hint);

    private readonly Option<string> _timers = DemoOption.Choice(
        "--timers",
        "Whose timers: .NET Framework's, in one list behind one lock (with the embedded engine), .NET's, Orleans' own "
        + "(with the orleans engine), or those of this project. With this or --engine, kinds of timers are compared in "
        + "this process.",
        defaultValue: BankEngines.AllOfThem,
        allowed: [.. Enum.GetValues<TimerKind>().Select(static kind => kind.ToName()), BankEngines.AllOfThem]);

    private readonly Option<int?> _accounts = DemoOption.OptionalCount(
        "--accounts",
        $"Accounts of the bank. {BankEngines.Defaults(static engine => engine.DefaultAccounts)}",
        from: 2,
        to: 1_000_000);

    private readonly Option<int?> _concurrency = DemoOption.OptionalCount(
        "--concurrency",
        $"Transfers in progress at any time. {BankEngines.Defaults(static engine => engine.DefaultConcurrency)}",
        from: 1,
        to: 100_000);

    private readonly Option<TimeSpan?> _duration = DemoOption.OptionalDuration(
        "--duration",
        "How long each bank is loaded in each round, like 10s or 500ms. Default: 6s; 1.5s for kinds of timers.",
        from: TimeSpan.FromMilliseconds(100),
        to: TimeSpan.FromHours(1));

    private readonly Option<int> _rounds = DemoOption.Count(
        "--rounds",
        "Rounds. All that is compared runs in each, in alternating order.",
        defaultValue: 2,
        from: 1,
        to: 100);

    private readonly Option<int> _silos = DemoOption.Count(
        "--silos",
        "Silos, with the orleans engine.",
        defaultValue: 2,
        from: 1,
        to: 16);

    private readonly Option<double> _hot = DemoOption.Share(
        "--hot",
        $"Share of the transfers between hot accounts; one account in 100 is hot.{BankEngines.ComparisonHint}",
        defaultValue: 0.02);

    private readonly Option<double> _slow = DemoOption.Share(
        "--slow",
        $"Share of the transfers that hold an account for 5 to 25 ms.{BankEngines.ComparisonHint}",
        defaultValue: 0.05);

    private readonly Option<double> _fail = DemoOption.Share(
        "--fail",
        "Share of the transfers with a fault: nine in ten are refused, of the tenth an answer is lost."
        + BankEngines.ComparisonHint,
        defaultValue: 0.02);

    private readonly Option<int> _seed = DemoOption.Count(
        "--seed",
        "What the transfers depend on. The same seed makes the same transfers.",
        defaultValue: 1,
        from: 0,
        to: int.MaxValue);

    private readonly OrleansOptionGroup _onOrleans = new();

    private readonly Option<TimeSpan?> _warmUp = DemoOption.OptionalDuration(
        "--warm-up",
        "How long each bank is loaded before anything is measured. Default: 2.5s; for kinds of timers 2s for the first "
        + "bank of an engine, then 500ms.",
        from: TimeSpan.FromMilliseconds(100),
        to: TimeSpan.FromHours(1));

    private readonly Option<bool> _noDelays = new("--no-delays")
    {
        Description = "Leaves out the few delays that are measured at the end.",
    };

    private readonly Option<FileInfo?> _json = DemoOption.NewFile("--json", "File to write all figures to.");

    private readonly Option<FileInfo?> _report = DemoOption.NewFile(
        "--report", "File to write a page with charts to, like report.html.");

    private readonly Option<FileInfo?> _markdown = DemoOption.NewFile(
        "--markdown", "File to write the figures that matter to, as a table in Markdown.");

    private readonly Option<bool> _progressLines = new(ProgressLine.Option) { Hidden = true };

    /// <summary>Builds the command.</summary>
    /// <param name="run">What to do with valid options for kinds of timers; returns the exit code.</param>
    /// <param name="compare">The same for those of the comparison that is made by default.</param>
    public RootCommand Build(
        Func<DemoOptions, CancellationToken, Task<int>> run,
        Func<ComparisonOptions, CancellationToken, Task<int>> compare)
    {
        var command = new RootCommand(
            "A bank under load: concurrent transactions, with every phase and every call under a timeout. Compares "
            + "Orleans alone with Orleans and this project, or kinds of timers.")
        {
            _engine, _timers, _accounts, _concurrency, _duration, _rounds, _silos, _hot, _slow, _fail, _seed, _json,
            _report, _markdown, _warmUp, _noDelays, _progressLines,
        };
        foreach (var option in _onOrleans.Options)
        {
            command.Options.Add(option);
        }

        command.Validators.Add(RequireSuitableTimers);
        command.Validators.Add(RequireSuitableBank);
        command.Subcommands.Add(new CompareCommand().Build());
#if ORLEANS
        command.Subcommands.Add(SiloCommand.Build());
#endif
        command.SetAction((result, cancellationToken) => ComparesKinds(result)
            ? run(Read(result), cancellationToken)
            : compare(ReadComparison(result), cancellationToken));
        return command;
    }

    /// <summary>Whether kinds of timers are compared. Without Orleans there is nothing else to compare.</summary>
    private bool ComparesKinds(ParseResult result) =>
        BankEngines.All.Length == 1
            || _onOrleans.OfKinds.Append(_engine).Append(_timers)
                .Any(option => result.GetResult(option) is { Implicit: false });

    private ComparisonOptions ReadComparison(ParseResult result) => new DefaultComparison
    {
        DurationOption = _duration,
        WarmUpOption = _warmUp,
        ConcurrencyOption = _concurrency,
        SilosOption = _silos,
        RoundsOption = _rounds,
        SeedOption = _seed,
        JsonOption = _json,
        ReportOption = _report,
        MarkdownOption = _markdown,
        HandedOn = [_accounts, _hot, _slow, _fail, .. _onOrleans.OfAnyBank],
    }.Read(result);

    private DemoOptions Read(ParseResult result) => new()
    {
        Cases =
        [
            .. from each in BankEngines.Cases(result.GetRequiredValue(_engine), result.GetRequiredValue(_timers))
               select new LoadCase(each.Engine, each.Timers, ReadBank(result, each.Engine)),
        ],
        Mix = new WorkMix(ToKill(result, _hot, 0), result.GetRequiredValue(_slow), ToKill(result, _fail, 0)),
        Duration = result.GetValue(_duration)
            ?? (_onOrleans.KillAfter(result) is { } killAfter ? killAfter + s_recoveryWithin : s_duration),
        WarmUp = result.GetValue(_warmUp),
        MeasuresDelays = !result.GetValue(_noDelays) && _onOrleans.KillAfter(result) is null,
        Rounds = ToKill(result, _rounds, 1),
        JsonFile = result.GetValue(_json),
        ReportFile = result.GetValue(_report),
        MarkdownFile = result.GetValue(_markdown),
        TellsProgress = result.GetValue(_progressLines),
    };

    private BankSettings ReadBank(ParseResult result, IBankEngine engine) => _onOrleans.Read(result, new BankSettings
    {
        Accounts = result.GetValue(_accounts) ?? engine.DefaultAccounts,
        Tellers = result.GetValue(_concurrency) ?? engine.DefaultConcurrency,
        Silos = result.GetRequiredValue(_silos),
        Seed = result.GetRequiredValue(_seed),
    });

    /// <summary>Some defaults are different when a silo is killed.</summary>
    private T ToKill<T>(ParseResult result, Option<T> option, T defaultValue) =>
        _onOrleans.KillAfter(result) is not null && result.GetResult(option) is null or { Implicit: true }
            ? defaultValue
            : result.GetRequiredValue(option);

    private void RequireSuitableBank(CommandResult result)
    {
        foreach (
            var error in _onOrleans.Errors(
                result, TextOf(result, _engine), isAlone: result.GetResult(_silos)?.Tokens is [{ Value: "1" }]))
        {
            result.AddError(error);
        }

        if (result.GetResult(_duration)?.Tokens is [{ } token]
            && DurationText.TryParse(token.Value, out var duration)
            && duration < _onOrleans.KillAfter(result) + s_leastAfterKill)
        {
            result.AddError(
                $"--duration {token.Value}: must be longer than --kill-after, by "
                + $"{DurationText.Format(s_leastAfterKill)} or more.");
        }
    }

    private void RequireSuitableTimers(CommandResult result)
    {
        // The typed text is checked, because an invalid value has no parsed value, and has its own error.
        var (engine, timers) = (TextOf(result, _engine), TextOf(result, _timers));
        var suitable = BankEngines.Cases(engine, BankEngines.AllOfThem)
            .Select(static each => each.Timers.ToName()).Distinct().ToList();
        if (suitable.Count > 0
            && BankEngines.Cases(BankEngines.AllOfThem, timers).Count > 0
            && BankEngines.Cases(engine, timers).Count == 0)
        {
            result.AddError(
                $"--timers {timers}: with --engine {engine} it must be one of {string.Join(", ", suitable)}, "
                + $"{BankEngines.AllOfThem}.");
        }
    }

    private static string TextOf(CommandResult result, Option<string> option) =>
        result.GetResult(option)?.Tokens is [{ } token] ? token.Value : (string)option.GetDefaultValue()!;
}
