using Spectre.Console;
using TransactionsDemo.Report;
using TransactionsDemo.Report.Html;

namespace TransactionsDemo.Comparison;

/// <summary>Compares two variants at one place, and shows a table of it.</summary>
internal sealed class PluginComparison(IAnsiConsole console, ComparisonOptions options)
{
    private readonly ConsoleReport _report = new(console);
    private readonly List<ComparisonRound> _rounds = [];
    private readonly List<string> _failures = [];

    /// <returns>The exit code: 0 when every round has counted its money.</returns>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        _report.WriteNotes(Notes.ForComparison(options));
        var progress = new ProgressDisplay(console, options.NewRemainingTime(), ProgressStyle.NowAndThen);
        try
        {
            await new ComparisonRunner(options, progress, _rounds.Add, _failures.Add).RunAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            console.WriteLine("Stopped before its end.");
            return 1;
        }

        if (_rounds.Select(static round => round.Variant).Distinct().Count() == 2)
        {
            await WriteAsync();
        }

        _report.WriteErrors(_failures);
        return _failures.Count == 0 ? 0 : 1;
    }

    private async Task WriteAsync()
    {
        ReportColumn[] columns = [ColumnOf(options.Variants.Baseline), ColumnOf(options.Variants.Changed)];
        var figures = FiguresTable.Of(columns, isPair: true);
        string[] bank = [Notes.Bank(columns[0].Rounds[0]), $"{MachineFigures.Here}."];
        console.WriteLine();
        _report.WriteNotes(bank);
        _report.WriteFigures(figures);
        _report.WriteNotes(Notes.ForFigures(options));
        if (options.JsonFile is { } json)
        {
            await JsonReport.WriteAsync(json, options, _rounds);
            console.WriteLine($"All figures: {json.FullName}");
        }

        if (options.MarkdownFile is { } markdown)
        {
            await File.WriteAllLinesAsync(markdown.FullName, figures.Markdown());
        }

        if (options.ReportFile is { } page)
        {
            await ReportPage.WriteAsync(page, new ReportContent
            {
                Title = $"{columns[0].Name}, and {columns[1].Name}",
                Notes = [.. Notes.ForComparison(options), .. bank, .. Notes.ForFigures(options)],
                Figures = figures,
                Columns = columns,
            });
            console.WriteLine($"A page with charts: {page.FullName}");
        }
    }

    private ReportColumn ColumnOf(Variant variant) => new(
        variant.Name,
        [.. _rounds.Where(round => round.Variant == variant).OrderBy(static round => round.Round)
            .Select(static round => round.Figures)]);
}
