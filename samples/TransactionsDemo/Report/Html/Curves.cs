using TransactionsDemo.Load;

namespace TransactionsDemo.Report.Html;

/// <summary>The lines that the rounds of a column make.</summary>
internal static class Curves
{
    /// <summary>A thin one for each round, and a thick one for their mean.</summary>
    public static IEnumerable<Curve> OverTime(
        ReportColumn column, int index, string suffix, Func<LatencySlot, double> valueOf) =>
        column.Rounds
            .Select(round => new Curve(
                string.Empty,
                index,
                IsThin: true,
                [.. round.OverTime.Select(slot => (slot.EndSeconds, valueOf(slot)))]))
            .Append(Mean(column, index, suffix, valueOf));

    public static Curve Mean(ReportColumn column, int index, string suffix, Func<LatencySlot, double> valueOf) => new(
        column.Name + suffix,
        index,
        IsThin: false,
        [
            .. column.Rounds.SelectMany(static round => round.OverTime)
                .GroupBy(static slot => slot.EndSeconds, valueOf)
                .OrderBy(static slot => slot.Key)
                .Select(static slot => (slot.Key, slot.Average())),
        ]);

    /// <summary>Of all rounds together: for each duration, the per cent that took no longer.</summary>
    public static Curve Distribution(ReportColumn column, int index)
    {
        var counts = new SortedDictionary<double, long>();
        foreach (var round in column.Rounds)
        {
            var before = 0L;
            foreach (var share in round.LatencyShares)
            {
                counts[share.Milliseconds] = counts.GetValueOrDefault(share.Milliseconds) + share.Transfers - before;
                before = share.Transfers;
            }
        }

        var (seen, all) = (0L, counts.Values.Sum());
        return new Curve(
            column.Name,
            index,
            IsThin: false,
            [.. counts.Select(each => (each.Key, 100.0 * (seen += each.Value) / all))]);
    }
}
