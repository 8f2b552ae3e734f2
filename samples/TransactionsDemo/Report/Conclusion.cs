using TransactionsDemo.Load;
using TransactionsDemo.Rounds;

namespace TransactionsDemo.Report;

/// <summary>What the demo has shown, in a few lines.</summary>
internal static class Conclusion
{
    public static IReadOnlyList<string> Of(Results results) =>
    [
        Timeouts(results),
        EarlyWaits(results),
        Throughput(results),
        $"Objects took {Medians(results, static round => round.LiveMegabytes, " MB")} after the load. "
        + (results.Errors().Any() ? "The accounts are WRONG." : "All the money is there."),
    ];

    private static string Timeouts(Results results) =>
        $"Response timeouts came {Medians(results, static round => round.TimeoutLateness(0.5), " ms late")} (medians).";

    private static string EarlyWaits(Results results)
    {
        var stock = results.LatenessOf(Variant.Stock, WaitKind.Grain, WaitKind.Orleans);
        var scalable = results.LatenessOf(Variant.Scalable, WaitKind.Grain, WaitKind.Orleans);
        var early = scalable.Count(static each => each < 0);
        var stockEarly = stock.Count(static each => each < 0);
        var earliest = stockEarly == 0 ? string.Empty : $", by up to {-stock[0]:N0} ms";
        return $"{(early == 0 ? "No wait" : $"{early:N0} waits")} of {scalable.Count:N0} ended early; "
            + $"with Orleans alone {stockEarly:N0} of {stock.Count:N0}{earliest}.";
    }

    private static string Throughput(Results results)
    {
        if (results.Stock.Concat(results.Scalable).Any(static round => round.TransfersPerSecond < 1))
        {
            return "Transfers a second cannot be compared: a round was too short for any.";
        }

        var transfers = results.RatioOf(static round => round.TransfersPerSecond);
        var processor = results.RatioOf(static round => round.ProcessorMicrosecondsPerTransfer);
        var verdict = results.Scalable.Count == 1 ? "which one round cannot tell from noise"
            : transfers is { Least: <= 1, Most: >= 1 } ? "the same within noise in rounds this short"
            : $"{(transfers.Least > 1 ? "more" : "fewer")} in each round";
        return $"Transfers a second were {Medians(results, static round => round.TransfersPerSecond)} (medians), "
            + $"{verdict}, for {processor.Median:N2} times the processor time each.";
    }

    private static string Medians(Results results, Func<RoundResult, double> valueOf, string unit = "") =>
        $"{results.SpreadOf(Variant.Scalable, valueOf).Median:N0}{unit} instead of "
        + $"{results.SpreadOf(Variant.Stock, valueOf).Median:N0}";
}
