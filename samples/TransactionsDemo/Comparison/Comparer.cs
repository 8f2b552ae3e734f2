using Spectre.Console;

namespace TransactionsDemo.Comparison;

/// <summary>
/// Compares Orleans' own timers with the same timers served by this project. The rounds alternate, each has its own
/// process, and none is left out.
/// </summary>
internal sealed class Comparer(IAnsiConsole console, ComparisonOptions options)
{
    private readonly List<ComparisonRound> _rounds = [];
    private readonly List<string> _failures = [];

    /// <returns>The exit code: 0 when every round has counted its money.</returns>
    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        Write(ComparisonTable.Heading(options));
        try
        {
            await RunRoundsAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            console.WriteLine("Stopped before its end.");
        }

        Write(ComparisonTable.Medians(_rounds));
        if (options.MarkdownFile is { } file)
        {
            string[] text =
            [
                .. ComparisonTable.Heading(options),
                .. _rounds.Select(ComparisonTable.Row),
                .. ComparisonTable.Medians(_rounds),
                .. _failures,
            ];
            await File.WriteAllLinesAsync(file.FullName, text, CancellationToken.None);
        }

        return _failures.Count == 0 && !cancellationToken.IsCancellationRequested ? 0 : 1;
    }

    /// <summary>Runs all places in each round, so that changes over time affect all of them.</summary>
    private async Task RunRoundsAsync(CancellationToken cancellationToken)
    {
        for (var round = 1; round <= options.Rounds; round++)
        {
            foreach (var silos in options.Silos)
            {
                foreach (var concurrency in options.Concurrencies)
                {
                    // Every other round goes backwards, so that no case profits from its place.
                    var place = new ComparisonPlace(silos, concurrency);
                    await RunRoundAsync(place, round, isServed: round % 2 == 0, cancellationToken);
                    await RunRoundAsync(place, round, isServed: round % 2 == 1, cancellationToken);
                }
            }
        }
    }

    private async Task RunRoundAsync(
        ComparisonPlace place, int round, bool isServed, CancellationToken cancellationToken)
    {
        try
        {
            _rounds.Add(await RoundProcess.RunAsync(options, place, round, isServed, cancellationToken));
            Write([ComparisonTable.Row(_rounds[^1])]);
        }
        catch (InvalidOperationException failure)
        {
            _failures.Add($"FAILED, round {round}, {place}, {(isServed ? "served" : "stock")}: {failure.Message}");
            Write([_failures[^1]]);
        }
    }

    // The rows are not written through the console, which would break them.
    private static void Write(IEnumerable<string> lines)
    {
        foreach (var line in lines)
        {
            Console.WriteLine(line);
        }
    }
}
