using ScalableTimers.Testing;
using Spectre.Console;
using TransactionsDemo.Report;

namespace TransactionsDemo.Tests.Report;

public sealed class ProgressDisplayTests : IDisposable
{
    private readonly WatchedWriter _written = new();

    public void Dispose() => _written.Dispose();

    [Fact]
    public async Task ShowAsync_OnATerminal_ShowsWhatIsGoingOnAndCountsDown()
    {
        await ShowAsync(
            InteractionSupport.Yes,
            ProgressStyle.NowAndThen,
            "Round 1: 12 transfers, 3 a second; about 20 s left",
            "Round 1: 12 transfers, 3 a second; about 13 s left");

        Assert.Contains("Round 1: done", _written.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task ShowAsync_OnATerminalBesideATable_WritesNoLineOfItsOwn()
    {
        await ShowAsync(InteractionSupport.Yes, ProgressStyle.Nothing, "12 transfers");

        Assert.DoesNotContain("done", _written.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task ShowAsync_WhereOutputIsRedirected_ShowsNoProgress()
    {
        await ShowAsync(InteractionSupport.No, ProgressStyle.NowAndThen);

        Assert.Equal("Round 1: done", _written.ToString().Trim());
    }

    /// <summary>Shows a step that goes on until each text has been drawn, and seven seconds after the first.</summary>
    private Task<int> ShowAsync(InteractionSupport interaction, ProgressStyle style, params string[] awaited)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = interaction == InteractionSupport.Yes ? AnsiSupport.Yes : AnsiSupport.No,
            Interactive = interaction,
            Out = new AnsiConsoleOutput(_written),
        });
        console.Profile.Width = 120;
        var clock = new ManualTimeProvider();
        var remaining = new RemainingTime(1, TimeSpan.FromSeconds(20), clock);
        return new ProgressDisplay(console, remaining, style).ShowAsync(
            "Round 1",
            async show =>
            {
                show("12 transfers, 3 a second");
                foreach (var text in awaited)
                {
                    await _written.WaitForAsync(text);
                    clock.Advance(TimeSpan.FromSeconds(7));
                }

                return 1;
            },
            static _ => "done");
    }
}
