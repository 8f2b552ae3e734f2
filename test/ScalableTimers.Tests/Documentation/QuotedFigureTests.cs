using ScalableTimers.Compare.Pages;

namespace ScalableTimers.Tests.Documentation;

/// <summary>
/// README and docs quote figures of the benchmarks. Each quotation is held to the result file that it comes from, so
/// a page cannot say anything else than the results.
/// </summary>
public sealed class QuotedFigureTests
{
    private static readonly QuotedPages s_pages = new(Repository.Root);

    [Fact]
    public void Pages_QuoteTheResults()
    {
        var complaints = new List<string>();
        foreach (var (path, text) in s_pages.Update(complaints.Add))
        {
            var found = File.ReadAllLines(path);
            complaints.AddRange(text.TrimEnd('\n').Split('\n').Zip(found)
                .Where(static line => line.First != line.Second)
                .Select(line =>
                    $"{Path.GetFileName(path)} has\n  {line.Second}\nwhere the results give\n  {line.First}"));
        }

        Assert.True(complaints.Count == 0, $"{string.Join('\n', complaints)}\nSee bench/README.md.");
    }

    [Theory]
    [InlineData("It takes 7 ms, not 3.", "It takes 5 ms, not 3.")]
    [InlineData("It takes\n1,234.5 ms, not 3.", "It takes\n5 ms, not 3.")]
    public void WithFigures_OtherFigure_IsReplaced(string page, string expected)
    {
        Assert.Equal(expected, Update(page, "takes {10 / 2} ms,", out var complaints).Replace("5.0", "5"));
        Assert.Empty(complaints);
    }

    [Theory]
    [InlineData("{99.9!} %", "99.9 %")]
    [InlineData("{99.9} %", "100 %")]
    [InlineData("{6!} %", "6 %")]
    [InlineData("{156432~} %", "156,000 %")]
    [InlineData("{9416~} %", "9,420 %")]
    [InlineData("{994.2~} %", "994 %")]
    [InlineData("{1.26~} %", "1.3 %")]
    [InlineData("{0.6~} %", "0.60 %")]
    [InlineData("{0~} %", "0.00 %")]
    public void WithFigures_Mark_IsRoundedSo(string words, string expected)
    {
        Assert.Equal(expected, Update("1 %", words, out var complaints));
        Assert.Empty(complaints);
    }

    [Theory]
    [InlineData("It needs 7 ms.")]
    [InlineData("It takes long ms.")]
    [InlineData("It takes 5 ms. It takes 5 ms.")]
    public void WithFigures_WordsThatDoNotOccurOnce_AreReported(string page)
    {
        Assert.Equal(page, Update(page, "takes {5} ms", out var complaints));
        Assert.Single(complaints);
    }

    [Theory]
    [InlineData("{compare > no such workload > Schedule > ns} ms")]
    [InlineData("{compare > firing > Schedule > no such column} ms")]
    [InlineData("{no-such-file > firing > Schedule > ns} ms")]
    [InlineData("{compare > firing > Schedule > late p50 ms > 2} ms")]
    public void WithFigures_NoSuchFigure_IsReported(string words)
    {
        Assert.Equal("1 ms", Update("1 ms", words, out var complaints));
        Assert.Single(complaints);
    }

    [Theory]
    [InlineData(8.05, "8.1")]
    [InlineData(10.4, "10")]
    [InlineData(0.884, "0.88")]
    [InlineData(0.034, "0.03")]
    [InlineData(4, "4.0")]
    [InlineData(144, "144")]
    [InlineData(1234.5, "1,235")]
    public void Short_TwoDigits(double figure, string text) => Assert.Equal(text, QuotedPages.Short(figure));

    private static string Update(string page, string words, out List<string> complaints)
    {
        complaints = [];
        return s_pages.WithFigures(page, words, complaints.Add);
    }
}
