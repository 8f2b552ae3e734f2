using Spectre.Console;
using TransactionsDemo.Report;

namespace TransactionsDemo.Comparison;

/// <summary>Compares two variants at several places, and writes every round and the medians as Markdown.</summary>
internal sealed class MarkdownComparison(IAnsiConsole console, ComparisonOptions options)
{
    private readonly List<ComparisonRound> _rounds = [];
    private readonly List<string> _failures = [];

    /// <returns>The exit code: 0 when every round has counted its money.</returns>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        Write(ComparisonTable.Heading(options));
        var runner = new ComparisonRunner(
            options, new ProgressDisplay(console, options.NewRemainingTime(), ProgressStyle.Nothing), Add, AddFailure);
        try
        {
            await runner.RunAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            console.WriteLine("Stopped before its end.");
        }

        Write(ComparisonTable.Medians(_rounds, options.Variants));
        if (options.MarkdownFile is { } file)
        {
            string[] text =
            [
                .. ComparisonTable.Heading(options),
                .. _rounds.Select(ComparisonTable.Row),
                .. ComparisonTable.Medians(_rounds, options.Variants),
                .. _failures,
            ];
            await File.WriteAllLinesAsync(file.FullName, text, CancellationToken.None);
        }

        return _failures.Count == 0 && !cancellationToken.IsCancellationRequested ? 0 : 1;
    }

    private void Add(ComparisonRound round)
    {
        _rounds.Add(round);
        Write([ComparisonTable.Row(round)]);
    }

    private void AddFailure(string failure)
    {
        _failures.Add(failure);
        Write([failure]);
    }

    // Not through the console, which would break the rows.
    private static void Write(IEnumerable<string> lines)
    {
        foreach (var line in lines)
        {
            Console.WriteLine(line);
        }
    }
}
