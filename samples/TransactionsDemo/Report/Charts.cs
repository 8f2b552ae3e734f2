using ScottPlot;
using TransactionsDemo.Load;
using TransactionsDemo.Rounds;

namespace TransactionsDemo.Report;

/// <summary>The charts of the page. The variants differ by their dashes too, not by colour alone.</summary>
internal static class Charts
{
    private const int Width = 900;
    private const int Height = 360;

    public static IEnumerable<(string Title, byte[] Png)> Of(Results results) =>
    [
        Draw(
            "Transfers a second, over time",
            "seconds since the load began",
            variant => Transfers(results.Of(variant))),
        Draw(
            "Latency: per cent of the transfers that took no longer",
            "milliseconds",
            variant => Latencies(results.Of(variant))),
        Draw(
            "Response timeouts of 200 ms: per cent that were no later",
            "milliseconds late",
            variant => Shares(results.LatenessOf(variant, WaitKind.ResponseTimeout))),
        Draw(
            "Waits of 3 s as transactions have: per cent that were no later",
            "milliseconds late; less than 0 is early",
            variant => Shares(results.LatenessOf(variant, WaitKind.Orleans))),
    ];

    private static (string Title, byte[] Png) Draw(
        string title, string axis, Func<Variant, (double[] X, double[] Y)> curveOf)
    {
        using var plot = new Plot();
        foreach (var variant in Enum.GetValues<Variant>())
        {
            var (x, y) = curveOf(variant);
            var curve = plot.Add.ScatterLine(x, y);
            curve.LegendText = variant.Title();
            curve.LineWidth = 2;
            curve.LinePattern = variant == Variant.Stock ? LinePattern.Dashed : LinePattern.Solid;
        }

        plot.Title(title);
        plot.XLabel(axis);
        plot.Axes.SetLimitsY(0, plot.Axes.GetLimits().Top * 1.05);
        plot.ShowLegend(Alignment.LowerRight);
        return (title, plot.GetImageBytes(Width, Height, ImageFormat.Png));
    }

    /// <summary>The mean of the rounds, at the middle of each slot.</summary>
    private static (double[] X, double[] Y) Transfers(IReadOnlyList<RoundResult> rounds)
    {
        var slot = BankLoad.Slot.TotalSeconds;
        var slots = Enumerable.Range(0, rounds[0].CommittedBySlot.Count);
        return (
            [.. slots.Select(index => (index + 0.5) * slot)],
            [.. slots.Select(index => rounds.Average(round => round.CommittedBySlot[index]) / slot)]);
    }

    /// <summary>The mean of the rounds.</summary>
    private static (double[] X, double[] Y) Latencies(IReadOnlyList<RoundResult> rounds)
    {
        var percents = Enumerable.Range(0, rounds[0].LatencyPercentiles.Count);
        return (
            [.. percents.Select(index => rounds.Average(round => round.LatencyPercentiles[index]))],
            [.. percents.Select(static index => index + 1.0)]);
    }

    private static (double[] X, double[] Y) Shares(IReadOnlyList<double> lateness) =>
        ([.. lateness], [.. Enumerable.Range(1, lateness.Count).Select(count => 100.0 * count / lateness.Count)]);
}
