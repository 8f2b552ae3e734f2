using TransactionsDemo.Load;
using TransactionsDemo.Rounds;

namespace TransactionsDemo.Report;

/// <summary>What one should have seen, in three lines.</summary>
internal static class Conclusion
{
    public static IReadOnlyList<string> Of(Results results) =>
        [Timeouts(results), EarlyWaits(results), Throughput(results)];

    private static string Timeouts(Results results)
    {
        string Median(Variant variant)
        {
            var lateness = results.LatenessOf(variant, WaitKind.ResponseTimeout);
            return lateness.Count == 0 ? "-" : $"{lateness[lateness.Count / 2]:N0}";
        }

        return $"Response timeouts came {Median(Variant.Scalable)} ms late instead of {Median(Variant.Stock)} "
            + "(medians).";
    }

    private static string EarlyWaits(Results results)
    {
        var stock = results.LatenessOf(Variant.Stock, WaitKind.Grain, WaitKind.Orleans);
        var scalable = results.LatenessOf(Variant.Scalable, WaitKind.Grain, WaitKind.Orleans);
        var early = scalable.Count(static each => each < 0);
        var stockEarly = stock.Count(static each => each < 0);
        var earliest = stockEarly == 0 ? string.Empty : $", by up to {-stock[0]:N0} ms";
        return $"{(early == 0 ? "No wait" : $"{early:N0} waits")} of {scalable.Count:N0} ended early; "
            + "with Orleans alone "
            + $"{stockEarly:N0} of {stock.Count:N0}{earliest}.";
    }

    private static string Throughput(Results results)
    {
        var transfers = results.RatioOf(static round => round.TransfersPerSecond);
        var processor = results.RatioOf(static round => round.ProcessorMicrosecondsPerTransfer);
        var figures = $"Transfers a second: {transfers.ToString("N2")} times, for {processor.ToString("N2")} of the "
            + "processor time each";
        return transfers.Least > 1 && processor.Most < 1
            ? $"{figures}."
            : $"{figures}: no gain that one could tell from noise. It grows in the first 8 seconds.";
    }
}
