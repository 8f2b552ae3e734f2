using System.Diagnostics;
using TransactionsDemo.CommandLine;
using TransactionsDemo.Report;
using TransactionsDemo.Report.Html;

namespace TransactionsDemo.Tests.Browser;

/// <summary>The pages that <c>--report</c> writes, in a real browser.</summary>
public sealed class ReportPageTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("report-");

    private FileInfo Page => new(Path.Combine(_folder.FullName, "report.html"));

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Page_OfMadeUpFigures_HasEveryChart()
    {
        ReportColumn[] columns =
            [new("one", [SomeFigures.Of(1), SomeFigures.Of(2)]), new("<two>", [SomeFigures.Of(3)])];
        await ReportPage.WriteAsync(Page, new ReportContent
        {
            Title = "Figures",
            Notes = ["A machine & its options."],
            Figures = FiguresTable.Of(columns, isPair: true),
            Columns = columns,
            Delays = [SomeFigures.Of(4).Probes, SomeFigures.Of(5).Probes],
        });

        var found = await PageCheck.RunAsync(Page);

        AssertFine(found);
        Assert.Equal(8, found.Charts.Count);
        Assert.All(found.Charts.Take(3), static chart => Assert.Equal(2, chart.Dashes));
        Assert.Contains("<two>", found.Text, StringComparison.Ordinal);
        Assert.Contains("A machine & its options.", found.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Page_OfTheDefaultComparison_HasEveryChart()
    {
        Assert.SkipWhen(BankEngines.All.Length == 1, "This build is without Orleans.");

        // Too short for probes of static timers, which take 5 seconds.
        await RunDemoAsync("--duration", "1s", "--warm-up", "300ms", "--rounds", "1", "--accounts", "50");

        var found = await PageCheck.RunAsync(Page);

        AssertFine(found);
        Assert.Equal(5, found.Charts.Count);
        Assert.Contains("Orleans alone", found.Text, StringComparison.Ordinal);
        Assert.Contains("with AddScalableTimers()", found.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Page_OfKindsOfTimers_HasEveryChart()
    {
        await RunDemoAsync("--engine", "embedded", "--timers", "all", "--duration", "1s", "--rounds", "1");

        var found = await PageCheck.RunAsync(Page);

        AssertFine(found);
        Assert.Equal(6, found.Charts.Count);
        Assert.Contains("Phases", found.Charts[^1].Title, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""<script>console.error("no")</script>""")]
    [InlineData("""<script>throw new Error("no")</script>""")]
    [InlineData("""<img src="http://localhost:9/picture.png">""")]
    [InlineData("""<svg class="chart" aria-label="no"><path class="line" d=""/></svg>""")]
    [InlineData("""<svg class="chart" aria-label="no"><path class="line" d="M0,0LNaN,5"/></svg>""")]
    public async Task Check_OfABadPage_FindsIt(string bad)
    {
        await File.WriteAllTextAsync(Page.FullName, $"<body>{bad}</body>", TestContext.Current.CancellationToken);

        var found = await PageCheck.RunAsync(Page);

        Assert.True(
            found.Errors.Count > 0
                || found.Requests.Count > 0
                || found.Charts.Any(static chart => chart.EmptyPaths > 0));
    }

    private static void AssertFine(PageFindings found)
    {
        Assert.Empty(found.Errors);
        Assert.Empty(found.Requests);
        Assert.NotEmpty(found.Charts);
        Assert.All(found.Charts, static chart =>
        {
            Assert.True(chart.DataPaths >= 2, $"{chart.Title}: {chart.DataPaths} paths");
            Assert.Equal(0, chart.EmptyPaths);
        });
    }

    private async Task RunDemoAsync(params string[] arguments)
    {
        var program = Path.Combine(AppContext.BaseDirectory, "TransactionsDemo.dll");
        var start = new ProcessStartInfo("dotnet", [program, .. arguments, "--report", Page.FullName])
        {
            RedirectStandardOutput = true,
        };
        using var demo = Process.Start(start)!;
        var output = await demo.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await demo.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.True(demo.ExitCode == 0, output);
    }
}
