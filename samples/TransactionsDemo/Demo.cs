using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.Json;
using Shared;
using TransactionsDemo.Load;
using TransactionsDemo.Report;
using TransactionsDemo.Rounds;

namespace TransactionsDemo;

/// <summary>The whole demo: the rounds, the table, and what is wrong.</summary>
internal static class Demo
{
    /// <summary>The time to start a process with two silos, count the money and stop, on two processors.</summary>
    private static readonly TimeSpan s_around = TimeSpan.FromSeconds(8);

    /// <param name="rounds">The number of rounds with the plugin, and without.</param>
    /// <param name="warmUp">How long the bank is under load before anything is measured.</param>
    /// <param name="duration">How long it is then under load and measured.</param>
    /// <param name="cancellationToken">Ends the demo.</param>
    /// <returns>The exit code: 0 if nothing is wrong.</returns>
    public static async Task<int> RunAsync(
        int rounds, TimeSpan warmUp, TimeSpan duration, CancellationToken cancellationToken)
    {
        Console.WriteLine(
            $"A bank of {BankLoad.Accounts:N0} accounts in two silos, {BankLoad.Tellers} transfers at a time. Each is "
            + "a transaction of two accounts and a teller's books.\n"
            + $"Rounds of {duration.TotalSeconds} s after {warmUp.TotalSeconds} s of warm-up, each in a process of its "
            + $"own. {RuntimeInformation.FrameworkDescription}, {Environment.ProcessorCount} processors.\n"
            + $"This takes about {(2 * rounds * (warmUp + duration + s_around)).TotalSeconds:N0} seconds.\n");
        var results = new Results([], []);
        var startedAt = Stopwatch.GetTimestamp();
        try
        {
            for (var number = 1; number <= rounds; number++)
            {
                // A B, B A, so that neither profits from its place.
                foreach (var hasPlugin in (bool[])(number % 2 == 1 ? [false, true] : [true, false]))
                {
                    Console.Write($"Round {number} of {rounds}, {Results.Title(hasPlugin)}:");
                    var round = JsonSerializer.Serialize(new Round(hasPlugin, number, warmUp, duration));
                    var result = await OwnProcess.RunAsync<RoundResult>(
                        [DemoCommand.Round, round], static step => Console.Write($" {step},"), cancellationToken);
                    Console.WriteLine(
                        $" {result.TransfersPerSecond:N0} transfers a second "
                        + $"({Stopwatch.GetElapsedTime(startedAt):m\\:ss})");
                    results.Of(hasPlugin).Add(result);
                }
            }
        }
        catch (InvalidOperationException failure)
        {
            Console.WriteLine();
            await Console.Error.WriteLineAsync(failure.Message);
            return 1;
        }

        Console.WriteLine();
        FiguresTable.Of(results).ForEach(Console.WriteLine);
        Console.WriteLine();
        string[] errors = [.. results.Errors()];
        Array.ForEach(errors, static error => Console.WriteLine($"WRONG: {error}"));
        return errors.Length == 0 ? 0 : 1;
    }
}
