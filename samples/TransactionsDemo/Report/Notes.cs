using TransactionsDemo.CommandLine;
using TransactionsDemo.Comparison;
using TransactionsDemo.Load;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Report;

/// <summary>Notes that a reader needs to judge the tables.</summary>
internal static class Notes
{
    public static IEnumerable<string> ForStart(DemoOptions options)
    {
        foreach (var bank in options.Cases.GroupBy(static each => each.Engine, static each => each.Bank))
        {
            var size = $"{bank.First().Accounts:N0} accounts, {bank.First().Tellers:N0} transfers at a time";
            yield return $"{bank.Key.Name}: {bank.Key.Describe(bank.First())}; {size}.";
        }

        var (hot, slow, fail) = options.Mix;
        var mix = $"{hot:P1} of the transfers hot, {slow:P1} slow, {fail:P1} faulty";
        yield return $".NET {Environment.Version} on {Environment.ProcessorCount} processors; {mix}.";
    }

    public static IEnumerable<string> ForRounds(DemoOptions options) =>
    [
        $"{options.Rounds} rounds of {DurationText.Format(options.Duration)}, all kinds of timers in each, in "
        + "alternating order, in one process. Medians of the rounds, and their range.",
    ];

    public static IEnumerable<string> ForComparison(ComparisonOptions options)
    {
        var (baseline, changed) = options.Variants;
        yield return $"{baseline.Name}, and {changed.Name}: the same transfers, {options.Rounds} rounds of both in "
            + "alternating order, each in a process of its own.";
        yield return $"Each round: {string.Join(' ', options.RoundArguments)}";
    }

    public static string Bank(RunFigures run) =>
        $"{run.Description}; {run.Accounts:N0} accounts, {run.Concurrency:N0} transfers at a time.";

    public static IEnumerable<string> ForFigures(ComparisonOptions options)
    {
        yield return "Medians of the rounds, and their range; the ratio is "
            + $"{options.Variants.Changed.Name} by {options.Variants.Baseline.Name}.";
        yield return "Processor time and memory are those of the whole process, with both silos and the load.";
        yield return "What is gained depends on the load: static timers a transfer x transfers a second x the 8 s that "
            + "each stays.";
    }

    public static IEnumerable<string> ForRuns(DemoOptions options)
    {
        if (options.Cases.Any(static each => each.Bank.KillAfter is not null))
        {
            yield return Recovery.Definition;
            yield return "A silo is a process, killed with SIGKILL. Timers, CPU time and bytes are those of the one "
                + "that survives.";
        }

        yield return "Timers are counted and timed by the demo, with Stopwatch. CPU time and bytes are those of the "
            + "whole process.";
        yield return "Accounts are locked in the order of their numbers, which rules deadlocks out; one in 50 of the "
            + "hot ignores it.";
        if (options.Cases.Any(static each => each.Engine.TimerKinds.Contains(TimerKind.Stock)))
        {
            yield return "Not counted are the timers that Orleans starts by itself for the phases of its transactions.";
        }

        yield return options.Cases.Any(static each => each.Bank.KillAfter is not null)
            ? "Phases are of the last round, in the silo that survives."
            : "Phases are of the last round, warming up excluded.";
        if (options.Cases.Any(static each => each.Timers == TimerKind.Stock))
        {
            yield return "Where timers fire early, slow transfers are faster than they were asked to be, and calls "
                + "time out too soon.";
        }
    }

    public static IEnumerable<string> ForDelays(DemoOptions options)
    {
        yield return "Each kind was asked for all its delays at once, from one thread, in this order.";
        if (options.Cases.Any(static each => each.Timers == TimerKind.System))
        {
            yield return "System: .NET's timers go by a coarse clock, and so end some milliseconds early or late.";
        }

        if (options.Cases.Any(static each => each.Timers == TimerKind.Stock))
        {
            yield return "Stock: the timers of one thread are in one list, and when one fires, those behind it fire "
                + "too.";
        }
    }
}
