using System.CommandLine;
using TransactionsDemo.Rounds;

namespace TransactionsDemo;

/// <summary>The command line.</summary>
internal static class DemoCommand
{
    /// <param name="demo">Runs the demo and returns the exit code.</param>
    public static RootCommand Build(Func<DemoSettings, CancellationToken, Task<int>> demo)
    {
        var settings = new Argument<string>("settings");
        var round = new Command(RoundProcess.Command) { settings };
        round.Hidden = true;
        round.SetAction((result, _) => RoundProcess.RunHereAsync(result.GetRequiredValue(settings)));

        var quick = new Option<bool>("--quick")
        {
            Description = "One round with 1 s of warm-up and 1 s of load: does it all work?",
        };
        var command = new RootCommand(
            "A bank under load, on Orleans alone and with AddScalableTimers(). Takes two minutes. Another demo is "
            + "./demo.sh cluster: silos in processes, while something breaks.")
        {
            quick, round,
        };
        command.SetAction((result, cancellationToken) => demo(
            result.GetValue(quick)
                ? new DemoSettings(Rounds: 1, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), Concurrency: 128)
                : new DemoSettings(Rounds: 2, TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(7), Concurrency: 128),
            cancellationToken));
        return command;
    }
}
