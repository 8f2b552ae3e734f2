using System.CommandLine;
using System.Text.Json;
using Shared;
using TransactionsDemo.Rounds;

namespace TransactionsDemo;

/// <summary>The command line.</summary>
internal static class DemoCommand
{
    /// <summary>The command by which a process runs one round.</summary>
    public const string Round = "round";

    public static RootCommand Build()
    {
        var round = new Argument<string>("round");
        var run = new Command(Round) { round };
        run.Hidden = true;
        run.SetAction(async (result, _) => OwnProcess.Report(
            await JsonSerializer.Deserialize<Round>(result.GetRequiredValue(round))!.RunAsync(Console.WriteLine)));

        var quick = new Option<bool>("--quick")
        {
            Description = "One round with 1 s of warm-up and 1 s of load: does it all work?",
        };
        var command = new RootCommand(
            "A bank under load, on Orleans alone and with AddScalableTimers(). Takes two minutes. Another demo is "
            + "./demo.sh cluster: silos in processes, while something breaks.")
        {
            quick, run,
        };
        command.SetAction((result, cancellationToken) => result.GetValue(quick)
            ? Demo.RunAsync(rounds: 1, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), cancellationToken)
            : Demo.RunAsync(rounds: 2, TimeSpan.FromSeconds(8), TimeSpan.FromSeconds(7), cancellationToken));
        return command;
    }
}
