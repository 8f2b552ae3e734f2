using Spectre.Console;
using TransactionsDemo.Bank;
using TransactionsDemo.CommandLine;
using TransactionsDemo.Experiment;
using TransactionsDemo.Load;
using TransactionsDemo.Report;
using TransactionsDemo.Report.Html;

namespace TransactionsDemo;

/// <summary>The whole demo: rounds of load, the table, the experiment.</summary>
internal sealed class Demo(IAnsiConsole console, DemoOptions options)
{
    private readonly ProgressDisplay _progress = new(
        console,
        new RemainingTime(options.Steps, options.ExpectedStep, TimeProvider.System),
        options.TellsProgress ? ProgressStyle.EveryChange : ProgressStyle.NowAndThen);

    private readonly ConsoleReport _report = new(console);

    /// <summary>Runs it.</summary>
    /// <returns>The exit code: 0 when all money and all timers are accounted for.</returns>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        _report.WriteNotes(Notes.ForStart(options));
        List<RunResult> runs;
        try
        {
            runs = await LoadAsync(cancellationToken);
        }
        catch (BankFailedException exception)
        {
            _report.WriteErrors([exception.Message]);
            return 1;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            console.WriteLine("Stopped before its end.");
            return 1;
        }

        var sums = RunResult.SumUp(runs);
        console.WriteLine();
        _report.WriteRuns(sums, runs);
        _report.WritePhases(sums);
        _report.WriteNotes(Notes.ForRuns(options));

        var delays = options.MeasuresDelays ? await MeasureDelaysAsync() : [];

        if (options.JsonFile is { } file)
        {
            await JsonReport.WriteAsync(file, options, runs, sums, delays);
            console.WriteLine($"All figures: {file.FullName}");
        }

        ReportColumn[] columns =
        [
            .. options.Cases.Select(each => new ReportColumn(
                each.ToString(), [.. runs.Where(run => run.Case == each).Select(RunFigures.Of)])),
        ];
        var figures = FiguresTable.Of(columns, isPair: false);
        if (options.MarkdownFile is { } markdown)
        {
            await File.WriteAllLinesAsync(markdown.FullName, figures.Markdown(), cancellationToken);
        }

        if (options.ReportFile is { } page)
        {
            await ReportPage.WriteAsync(page, PageOf(figures, columns, delays));
            console.WriteLine($"A page with charts: {page.FullName}");
        }

        string[] errors =
        [
            .. sums.SelectMany(static sum => sum.Errors.Select(error => $"{sum.Case}: {error}")),
            .. delays.SelectMany(static each => each.Errors.Select(error => $"{each.Case}: {error}")),
        ];
        _report.WriteErrors(errors);
        return errors.Length == 0 ? 0 : 1;
    }

    private ReportContent PageOf(FiguresTable figures, ReportColumn[] columns, DelayMeasurement[] delays) => new()
    {
        Title = "A bank under load, on each kind of timers",
        Notes = [.. Notes.ForStart(options), .. Notes.ForRounds(options), $"{MachineFigures.Here}."],
        Figures = figures,
        Columns = columns,
        Delays = [.. delays.Select(static each => each.Samples)],
    };

    private async Task<DelayMeasurement[]> MeasureDelaysAsync()
    {
        var delays = await _progress.ShowAsync(
            "A few delays, nothing else going on",
            _ => DelayExperiment.RunAsync(options.Cases),
            static _ => "asked against got");
        _report.WriteDelays(delays);
        _report.WriteNotes(Notes.ForDelays(options));
        return delays;
    }

    private async Task<List<RunResult>> LoadAsync(CancellationToken cancellationToken)
    {
        var runner = new RoundRunner(options.Mix, options.Duration, options.WarmUp);
        var runs = new List<RunResult>();
        for (var round = 1; round <= options.Rounds; round++)
        {
            // Every other round goes backwards, so that no case profits from its place.
            foreach (var loadCase in round % 2 == 1 ? options.Cases : options.Cases.Reverse())
            {
                runs.Add(await _progress.ShowAsync(
                    $"Round {round} of {options.Rounds}, {loadCase}",
                    show => runner.RunAsync(loadCase, round, show, cancellationToken),
                    static run =>
                        $"{run.TransfersPerSecond:N0} transfers a second, {run.Timers.FiredEarly:N0} timers early"));
            }
        }

        return runs;
    }
}
