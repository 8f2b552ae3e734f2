using System.Globalization;
using System.Text.RegularExpressions;
using ScalableTimers.Compare.Charts;

namespace ScalableTimers.Tests.Documentation;

/// <summary>
/// README and docs quote figures of the benchmarks. Each quotation is held to the result file that it comes from, so
/// results that are taken again show what to rewrite.
/// </summary>
public sealed partial class QuotedFigureTests
{
    private const string Pair = "compare > schedule-cancel > Schedule";
    private const string PairAmongMany = "compare > schedule-cancel-1m > Schedule";
    private const string Steady = "compare > steady-firing > Schedule";
    private const string Saturated = "compare > saturated-pool > Schedule";
    private const string Partitioned = "partitioned-queues > partitioned-server";
    private const string Partitioned300k = "partitioned-queues > partitioned-firing-300k";
    private const string Polling = "timeout-tokens > long-polling-0";

    /// <summary>
    /// The page, and its words. In braces stands a figure, as file > workload > contestant > column, and what to
    /// it with if the page has another unit. A page quotes two significant digits.
    /// </summary>
    public static TheoryData<string, string> Quotations { get; } = new()
    {
        { "README.md", $"{{{Pair} > ratio}} and {{{PairAmongMany} > ratio}} times faster" },
        {
            "README.md",
            $"{{{Pair} > least}} to {{{Pair} > most}}, and {{{PairAmongMany} > least}} to "
                + $"{{{PairAmongMany} > most}};"
        },
        { "README.md", Spread("cancel on another thread", "cancel-elsewhere > Schedule", "times faster") },
        { "README.md", Spread("beside the token itself", "cancel-by-token > TryDelay", "times faster") },
        {
            "README.md",
            Spread("schedule and fire 200,000 within a second", "firing > Schedule", "times less processor time")
        },
        {
            "README.md",
            $"{{{Steady} > ratio}} times less processor time, "
                + $"{{{Steady}, driver thread > ratio}} with `Firing = DriverThread` | "
                + $"{{{Steady} > least}} to {{{Steady} > most}}, {{{Steady}, driver thread > least}} to "
                + $"{{{Steady}, driver thread > most}} |"
        },
        {
            "README.md",
            Spread("await a delay, 200,000 within a second", "firing > Delay", "times less processor time")
        },
        { "README.md", "at 2,000,000 a second **little gain**: {compare > firing-2m > Delay > ratio} |" },
        {
            "README.md",
            Spread("`Task.Delay` over our `TimeProvider`", "time-provider > Task.Delay, TimeProvider", "times as fast")
        },
        {
            "README.md",
            "**we lose**: {compare > firing > Schedule > late p50 ms} ms for {compare > firing > Timer > late p50 ms} |"
        },
        {
            "README.md",
            $"at 20,000 a second {{{Steady} > late p50 ms}} for {{compare > steady-firing > Timer > late p50 ms}} |"
        },
        {
            "README.md",
            $"**we lose**: {{{Saturated} > p99}} ms for {{compare > saturated-pool > Timer > p99}} | "
                + $"{{{Saturated} > ratio}} times as good, {{{Saturated} > least}} to {{{Saturated} > most}}"
        },
        {
            "README.md",
            "{compare > pending-bytes > Schedule > bytes} bytes for {compare > pending-bytes > Timer > bytes} |"
        },
        {
            "docs/operation-statistics.md",
            $"the dictionary takes {Threads("ConcurrentDictionary + lock")} ns, the array {Threads("array + lock")}."
        },
        { "docs/operation-statistics.md", $"takes {Threads("OperationStatistics")} ns and allocates nothing" },
        { "docs/operation-statistics.md", $"array took {Threads("thread-static array, no histogram")}." },
        {
            "docs/partitioned-queues.md",
            $"takes {{{Partitioned} > one lock, one list, 2 threads > ns * 0.002}} s with one lock and "
                + $"{{{Partitioned} > Timer, 2 threads > ns * 0.002}} s with .NET 10. **Ours** takes "
                + $"{{{Partitioned} > Schedule, 2 threads > ns * 0.002}} s through `Schedule` and "
                + $"{{{Partitioned} > TimeProvider, 2 threads > ns * 0.002}} s"
        },
        {
            "docs/partitioned-queues.md",
            $"lateness is {{{Partitioned300k} > Timer > late p50 ms}} ms (`Timer`) and "
                + $"{{{Partitioned300k} > Task.Delay > late p50 ms}} ms"
        },
        {
            "docs/timeout-tokens.md",
            $"{{{Polling} > new CancellationTokenSource, 800k/s > a second * 0.001}},000 get through with a source for "
                + $"each. **Ours**: {{{Polling} > GetTimeoutToken, 800k/s > a second * 0.001}},000 with a shared token"
        },
        {
            "docs/timeout-tokens.md",
            $"A request without a timeout costs {{{Polling} > no timeout at all, 400k/s > CPU ns * 0.001}} µs"
        },
    };

    [Theory]
    [MemberData(nameof(Quotations))]
    public void Page_QuotesTheResultFile(string page, string words)
    {
        var expected = FigureIn().Replace(words, static match =>
        {
            var parts = match.Groups[1].Value.Split(" > ");
            var column = parts[3].Split(" * ");
            var figure = new ResultFile(Repository.Path("bench", "results", $"{parts[0]}.md"))
                .Figure(parts[1], parts[2], column[0]);
            return Short(column.Length == 1 ? figure : figure * double.Parse(column[1], CultureInfo.InvariantCulture));
        });

        Assert.Contains(expected, WordsOf(page), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(8.05, "8.1")]
    [InlineData(10.4, "10")]
    [InlineData(0.884, "0.88")]
    [InlineData(0.034, "0.03")]
    [InlineData(4, "4.0")]
    [InlineData(144, "144")]
    public void Short_TwoDigits(double figure, string text) => Assert.Equal(text, Short(figure));

    private static string Spread(string subject, string row, string unit) =>
        $"{subject} | {{compare > {row} > ratio}} {unit} | {{compare > {row} > least}} to {{compare > {row} > most}}";

    private static string Threads(string adder)
    {
        var row = $"operation-statistics > operation-statistics > {adder}";
        return $"{{{row}, 1 thread > ns}}, {{{row}, 2 threads > ns}} and {{{row}, 4 threads > ns}}";
    }

    /// <summary>A page without its line breaks.</summary>
    private static string WordsOf(string page) =>
        File.ReadAllText(Repository.Path(page.Split('/'))).ReplaceLineEndings(" ");

    private static string Short(double figure)
    {
        var digits = figure switch { < 1 => 2, < 10 => 1, _ => 0 };
        return Math.Round((decimal)figure, digits, MidpointRounding.AwayFromZero)
            .ToString($"F{digits}", CultureInfo.InvariantCulture);
    }

    [GeneratedRegex(@"\{([^}]+)\}")]
    private static partial Regex FigureIn();
}
