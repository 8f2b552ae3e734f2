using ScalableTimers;
using Spectre.Console;
using TransactionsDemo.Bank;
using TransactionsDemo.Experiment;
using TransactionsDemo.Load;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Report;

/// <summary>Writes tables for people.</summary>
internal sealed class ConsoleReport(IAnsiConsole console)
{
    public void WriteRuns(IReadOnlyList<RunResult> results, IReadOnlyList<RunResult> rounds)
    {
        var table = NewTable(string.Empty, results.Select(static result => result.Case));
        AddRow("transfers a second", static result => $"{result.TransfersPerSecond:N0}");
        AddRow("  from round to round", result => Range(result, static round => round.TransfersPerSecond));
        AddRow("transfers finished", static result => $"{result.Work.Finished:N0}");
        AddRow(
            "  of them committed",
            static result => Share(result.Work[TransferOutcome.Committed], result.Work.Finished));
        foreach (
            var outcome in Enum.GetValues<TransferOutcome>().Where(outcome => outcome != TransferOutcome.Committed))
        {
            if (results.Any(result => result.Work[outcome] > 0))
            {
                AddRow($"  failed: {FailureName(outcome)}", result => $"{result.Work[outcome]:N0}");
            }
        }

        AddRow("tried again", static result => $"{result.Work.Retries:N0}");
        AddRow("in doubt for a while", static result => $"{result.Work.InDoubt:N0}");
        if (results.Any(static result => result.Recoveries.Count > 0))
        {
            table.AddEmptyRow();
            AddRow(
                "dead silo was noticed after",
                static result => Each(result, static each => Seconds(each.DeclaredDeadAfter)));
            AddRow("recovered after", static result => Each(result, static each => Seconds(each.RecoveredAfter)));
            AddRow(
                "commits a second before",
                static result => Each(result, static each => $"{each.CommitsPerSecondBefore:N0}"));
            AddRow(
                "commits a second after",
                static result => Each(result, static each => $"{each.CommitsPerSecondAfter:N0}"));
            AddRow("failed after the kill", static result => Each(result, static each => $"{each.FailedAfterKill:N0}"));
        }

        table.AddEmptyRow();
        AddRow("latency p50", static result => Milliseconds(result.Work.Latencies.Percentile(0.5)));
        AddRow("latency p99", static result => Milliseconds(result.Work.Latencies.Percentile(0.99)));
        AddRow("latency max", static result => Milliseconds(result.Work.Latencies.Max));
        AddRow("stalls (longer than 1 s)", static result => $"{result.Work.Stalls:N0}");
        AddRow("longest time without any end", static result => Milliseconds(result.LongestPause));
        table.AddEmptyRow();
        AddRow("timers scheduled", static result => $"{result.Timers.Scheduled:N0}");
        AddRow("timers cancelled", static result => $"{result.Timers.Cancelled:N0}");
        AddRow("timers fired", static result => $"{result.Timers.Fired:N0}");
        AddRow("  of them early", static result => $"{result.Timers.FiredEarly:N0}");
        AddRow(
            "  earliest by",
            static result => result.Timers.FiredEarly == 0 ? "-" : Milliseconds(result.Timers.WorstEarly));
        if (results.Any(static result => result.EngineTimersPending is not null))
        {
            AddRow("pending in Orleans itself", static result => $"{result.EngineTimersPending:N0}");
        }

        table.AddEmptyRow();
        AddRow("CPU time a transfer", static result => $"{result.CpuMicrosecondsPerTransfer:N1} µs");
        AddRow("  from round to round", result => Range(result, static round => round.CpuMicrosecondsPerTransfer));
        AddRow("allocated a transfer", static result => $"{result.BytesPerTransfer:N0} B");
        AddRow("waits for a lock", static result => $"{result.LockContentions:N0}");
        AddRow("money", static result => result.Errors.Count == 0 ? "all there" : "WRONG");
        console.Write(table);

        void AddRow(string name, Func<RunResult, string> value) => table.AddRow([name, .. results.Select(value)]);

        string Range(RunResult result, Func<RunResult, double> valueOf)
        {
            var values = rounds.Where(round => round.Case == result.Case).Select(valueOf).ToList();
            return $"{values.Min():N0} to {values.Max():N0}";
        }
    }

    /// <summary>
    /// The durations of the phases of transactions, from <see cref="ScalableTimers.OperationStatistics"/>.
    /// </summary>
    public void WritePhases(IReadOnlyList<RunResult> results)
    {
        // Each engine has its own phases.
        foreach (
            var engine in results.GroupBy(static result => result.Case.Engine).Select(static engine => engine.ToList()))
        {
            var table = NewTable("phase: how often\np50 / p99 / max ms", engine.Select(static result => result.Case));
            foreach (
                var phase in engine[0].Phases.Select(static phase => phase.Operation)
                    .Where(phase => engine.Any(result => Find(result, phase)?.Count > 0)))
            {
                table.AddRow([phase, .. engine.Select(result => PhaseText(Find(result, phase)))]);
            }

            console.Write(table);
        }

        static OperationSummary? Find(RunResult result, string phase) =>
            result.Phases.FirstOrDefault(each => each.Operation == phase);
    }

    /// <summary>Variants side by side.</summary>
    public void WriteFigures(FiguresTable figures)
    {
        var table = new Table().Border(TableBorder.Rounded);
        for (var column = 0; column < figures.Columns.Count; column++)
        {
            var heading = new TableColumn(Markup.Escape(figures.Columns[column]));
            table.AddColumn(column == 0 ? heading : heading.RightAligned());
        }

        foreach (var row in figures.Rows)
        {
            table.AddRow([.. row.Select(Markup.Escape)]);
        }

        console.Write(table);
    }

    public void WriteDelays(IReadOnlyList<DelayMeasurement> measurements)
    {
        var table = NewTable("asked", measurements.Select(static each => each.Case));
        for (var row = 0; row < measurements[0].Asked.Length; row++)
        {
            var asked = measurements[0].Asked[row];
            table.AddRow(
                [$"{asked.TotalMilliseconds:N0} ms", .. measurements.Select(each => Got(asked, each.Got[row]))]);
        }

        console.Write(table);
    }

    public void WriteNotes(IEnumerable<string> notes)
    {
        foreach (var note in notes)
        {
            console.WriteLine(note);
        }

        console.WriteLine();
    }

    public void WriteErrors(IEnumerable<string> errors)
    {
        foreach (var error in errors)
        {
            console.WriteLine($"FAILED, {error}");
        }
    }

    private static Table NewTable(string corner, IEnumerable<LoadCase> columns)
    {
        var table = new Table().Border(TableBorder.Rounded).AddColumn(corner);
        foreach (var column in columns)
        {
            table.AddColumn(new TableColumn($"{column.Engine.Name}\n{column.Timers.ToName()}").RightAligned());
        }

        return table;
    }

    private static string FailureName(TransferOutcome outcome) => outcome switch
    {
        TransferOutcome.Refused => "refused, as planned",
        TransferOutcome.InsufficientFunds => "insufficient funds",
        TransferOutcome.LockTimeout => "account locked too long",
        TransferOutcome.CallTimeout => "no answer in time",
        TransferOutcome.PrepareTimeout => "not prepared in time",
        TransferOutcome.TellerLost => "teller was lost",
        TransferOutcome.Conflict => "lost a conflict",
        _ => "aborted otherwise",
    };

    private static string Share(long part, long whole) => $"{100.0 * part / Math.Max(1, whole):N2} %";

    private static string Each(RunResult result, Func<Recovery, string> textOf) =>
        result.Recoveries.Count == 0 ? "-" : string.Join(", ", result.Recoveries.Select(textOf));

    private static string PhaseText(OperationSummary? phase) =>
        phase is null or { Count: 0 }
            ? "-"
            : $"{phase.Count:N0}\n{phase.P50TimeMs:N2} / {phase.P99TimeMs:N2} / {phase.MaxTimeMs:N0}";

    private static string Seconds(TimeSpan? duration) =>
        duration is { } known ? $"{known.TotalSeconds:N1} s" : "not in time";

    private static string Milliseconds(TimeSpan duration) => $"{duration.TotalMilliseconds:N2} ms";

    private static string Got(TimeSpan asked, TimeSpan got)
    {
        var text = $"{got.TotalMilliseconds:N2} ms";
        return got < asked ? $"{text}\n[red]{(asked - got).TotalMilliseconds:N2} ms early[/]" : text;
    }
}
