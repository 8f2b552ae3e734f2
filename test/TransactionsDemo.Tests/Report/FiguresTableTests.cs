using TransactionsDemo.Bank;
using TransactionsDemo.Report;

namespace TransactionsDemo.Tests.Report;

public class FiguresTableTests
{
    private static readonly ReportColumn s_one = new("one", [SomeFigures.Of(1), SomeFigures.Of(2)]);
    private static readonly ReportColumn s_two = new("two", [SomeFigures.Of(3), SomeFigures.Of(4)]);

    [Fact]
    public void Of_TwoColumns_HasMediansRangesAndRatios()
    {
        var table = FiguresTable.Of([s_one, s_two], isPair: true);

        Assert.Equal(["", "one", "two", "ratio"], table.Columns);
        Assert.Equal(
            ["transfers a second", "1,500 (1,000 to 2,000)", "3,500 (3,000 to 4,000)", "2.50 (2.00 to 3.00)"],
            table.Rows[0]);
        Assert.All(table.Rows, static row => Assert.Equal(4, row.Count));
    }

    [Fact]
    public void Of_Probes_TellsHowManyWereEarlyAndByHowMuch()
    {
        var table = FiguresTable.Of([s_one], isPair: false);

        Assert.Equal("2 of 4, by up to 0.5 ms", RowOf(table, "early: waits of the application")[1]);
        Assert.Equal("2 of 2, by up to 4,000.0 ms", RowOf(table, "early: Orleans' static timers, asked for 3 s")[1]);
        Assert.Equal("425 (400 to 450)", RowOf(table, "response timeouts of 200 ms, late by p50, ms")[1]);
        Assert.Equal("700", RowOf(table, "  late by at most, ms")[1]);
    }

    [Fact]
    public void Of_KindsOfTimers_HasFailuresAndWaitsForLocks()
    {
        var failed = SomeFigures.Of(1) with
        {
            Outcomes = new Dictionary<TransferOutcome, long>
            {
                [TransferOutcome.Committed] = 95,
                [TransferOutcome.Refused] = 3,
                [TransferOutcome.LockTimeout] = 2,
            },
        };

        var table = FiguresTable.Of([new ReportColumn("one", [failed])], isPair: false);

        Assert.Equal("2.00", RowOf(table, "failed otherwise than planned, %")[1]);
        Assert.Equal("40", RowOf(table, "waits for a lock")[1]);
        Assert.DoesNotContain(
            FiguresTable.Of([s_one, s_two], isPair: true).Rows, static row => row[0] == "waits for a lock");
    }

    [Fact]
    public void Of_RunsWithoutProbes_LeavesTheirRowsOut()
    {
        var table = FiguresTable.Of(
            [new ReportColumn("one", [SomeFigures.Of(1) with { Probes = [] }])], isPair: false);

        Assert.DoesNotContain(table.Rows, static row => row[0].StartsWith("early", StringComparison.Ordinal));
        Assert.DoesNotContain(table.Rows, static row => row[0].Contains("late", StringComparison.Ordinal)
            && !row[0].StartsWith("latency", StringComparison.Ordinal));
    }

    [Fact]
    public void Of_ARunThatHasLostMoney_SaysSo()
    {
        var wrong = new ReportColumn(
            "one", [SomeFigures.Of(1), SomeFigures.Of(2) with { Errors = ["5 units are missing."] }]);

        Assert.Equal(["money", "WRONG", "all there"], FiguresTable.Of([wrong, s_two], isPair: false).Rows[^1]);
    }

    [Fact]
    public void Markdown_OfAPair_HasALineForEachRow()
    {
        var table = FiguresTable.Of([s_one, s_two], isPair: true);

        var lines = table.Markdown().ToList();

        Assert.Equal(["| | one | two | ratio |", "|---|---:|---:|---:|"], lines[..2]);
        Assert.Equal(
            "| transfers a second | 1,500 (1,000 to 2,000) | 3,500 (3,000 to 4,000) | 2.50 (2.00 to 3.00) |", lines[2]);
        Assert.Equal(table.Rows.Count + 2, lines.Count);
    }

    private static IReadOnlyList<string> RowOf(FiguresTable table, string name) =>
        Assert.Single(table.Rows, row => row[0] == name);
}
