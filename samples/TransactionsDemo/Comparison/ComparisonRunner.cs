using TransactionsDemo.Report;

namespace TransactionsDemo.Comparison;

/// <summary>Runs two variants in rounds that alternate, each in a process of its own, and leaves none out.</summary>
/// <param name="options">What to run.</param>
/// <param name="progress">Shows how far it is.</param>
/// <param name="onRound">Called with each round of a variant when it is over.</param>
/// <param name="onFailure">Called with a text for each that has failed.</param>
internal sealed class ComparisonRunner(
    ComparisonOptions options, ProgressDisplay progress, Action<ComparisonRound> onRound, Action<string> onFailure)
{
    /// <summary>All places in each round, so that what changes with time changes all of them.</summary>
    /// <exception cref="OperationCanceledException">It was stopped. What is done is done.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        for (var round = 1; round <= options.Rounds; round++)
        {
            foreach (var silos in options.Silos)
            {
                foreach (var concurrency in options.Concurrencies)
                {
                    foreach (var variant in options.Variants.InOrderOf(round))
                    {
                        await RunAsync(new ComparisonPlace(silos, concurrency), round, variant, cancellationToken);
                    }
                }
            }
        }
    }

    private async Task RunAsync(
        ComparisonPlace place, int round, Variant variant, CancellationToken cancellationToken)
    {
        try
        {
            var figures = await progress.ShowAsync(
                $"Round {round} of {options.Rounds}, {variant.Name}",
                show => RoundProcess.RunAsync(options, place, round, variant, show, cancellationToken),
                static figures => $"{figures.TransfersPerSecond:N0} transfers a second");
            onRound(new ComparisonRound(place, round, variant, figures));
        }
        catch (InvalidOperationException failure)
        {
            onFailure($"FAILED, round {round}, {place}, {variant.Name}: {failure.Message}");
        }
    }
}
