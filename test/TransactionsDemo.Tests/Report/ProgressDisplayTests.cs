using Spectre.Console;
using TransactionsDemo.Report;

namespace TransactionsDemo.Tests.Report;

public sealed class ProgressDisplayTests : IDisposable
{
    private readonly StringWriter _written = new();

    public void Dispose() => _written.Dispose();

    [Fact]
    public async Task ShowAsync_OnATerminal_ShowsWhatIsGoingOnAndHowLongItTakes()
    {
        await ShowAsync(InteractionSupport.Yes, ProgressStyle.NowAndThen);

        Assert.Contains(
            "Round 1: 12 transfers, 3 a second; about 20 s left", _written.ToString(), StringComparison.Ordinal);
        Assert.Contains("Round 1: done", _written.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task ShowAsync_OnATerminalBesideATable_WritesNoLineOfItsOwn()
    {
        await ShowAsync(InteractionSupport.Yes, ProgressStyle.Nothing);

        Assert.Contains("12 transfers", _written.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("done", _written.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task ShowAsync_WhereOutputIsRedirected_ShowsNoProgress()
    {
        await ShowAsync(InteractionSupport.No, ProgressStyle.NowAndThen);

        Assert.Equal("Round 1: done", _written.ToString().Trim());
    }

    private Task<int> ShowAsync(InteractionSupport interaction, ProgressStyle style)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = interaction == InteractionSupport.Yes ? AnsiSupport.Yes : AnsiSupport.No,
            Interactive = interaction,
            Out = new AnsiConsoleOutput(_written),
        });
        console.Profile.Width = 120;
        var remaining = new RemainingTime(1, TimeSpan.FromSeconds(20), new ScalableTimers.Testing.ManualTimeProvider());
        return new ProgressDisplay(console, remaining, style).ShowAsync(
            "Round 1",
            async show =>
            {
                show("12 transfers, 3 a second");

                // The display is drawn ten times a second.
                await Task.Delay(TimeSpan.FromSeconds(0.5), TestContext.Current.CancellationToken);
                return 1;
            },
            static _ => "done");
    }
}
