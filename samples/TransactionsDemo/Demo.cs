using System.Diagnostics;
using System.Runtime.InteropServices;
using TransactionsDemo.Load;
using TransactionsDemo.Report;
using TransactionsDemo.Rounds;

namespace TransactionsDemo;

/// <summary>The whole demo: the rounds, the table, and what they show, in words.</summary>
internal static class Demo
{
    /// <summary>The time to start a process with two silos, count the money and stop, on two processors.</summary>
    private static readonly TimeSpan s_around = TimeSpan.FromSeconds(8);

    /// <returns>The exit code: 0 if nothing is wrong.</returns>
    public static async Task<int> RunAsync(DemoSettings settings, CancellationToken cancellationToken)
    {
        var expected = 2 * settings.Rounds * (settings.WarmUp + settings.Duration + s_around);
        string[] notes =
        [
            $"A bank of {BankLoad.Accounts:N0} accounts in two silos, {settings.Concurrency} transfers at a time. Each "
            + "is a transaction of two accounts and a teller's books.",
            $"Rounds of {settings.Duration.TotalSeconds} s after {settings.WarmUp.TotalSeconds} s of warm-up, each in "
            + $"a process of its own. {RuntimeInformation.FrameworkDescription}, "
            + $"{Environment.ProcessorCount} processors.",
        ];
        Array.ForEach(notes, Console.WriteLine);
        Console.WriteLine($"This takes about {expected.TotalSeconds:N0} seconds.");
        Console.WriteLine();

        Results results;
        try
        {
            results = await RunRoundsAsync(settings, cancellationToken);
        }
        catch (InvalidOperationException failure)
        {
            Console.WriteLine();
            await Console.Error.WriteLineAsync(failure.Message);
            return 1;
        }

        var table = FiguresTable.Of(results);
        var conclusion = Conclusion.Of(results);
        Console.WriteLine();
        Array.ForEach([.. table], Console.WriteLine);
        Console.WriteLine();
        string[] errors = [.. results.Errors()];
        Array.ForEach(errors, static error => Console.WriteLine($"WRONG: {error}"));
        Array.ForEach([.. conclusion], Console.WriteLine);
        return errors.Length == 0 ? 0 : 1;
    }

    private static async Task<Results> RunRoundsAsync(DemoSettings settings, CancellationToken cancellationToken)
    {
        var results = new Dictionary<Variant, List<RoundResult>> { [Variant.Stock] = [], [Variant.Scalable] = [] };
        var startedAt = Stopwatch.GetTimestamp();
        for (var number = 1; number <= settings.Rounds; number++)
        {
            // A B, B A, so that neither profits from its place.
            Variant[] order = number % 2 == 1 ? [Variant.Stock, Variant.Scalable] : [Variant.Scalable, Variant.Stock];
            foreach (var variant in order)
            {
                Console.Write($"Round {number} of {settings.Rounds}, {variant.Title()}:");
                var result = await RoundProcess.RunAsync(
                    new RoundSettings(variant, number, settings.Concurrency, settings.WarmUp, settings.Duration),
                    static step => Console.Write($" {step},"),
                    cancellationToken);
                Console.WriteLine(
                    $" {result.TransfersPerSecond:N0} transfers a second "
                    + $"({Stopwatch.GetElapsedTime(startedAt):m\\:ss})");
                results[variant].Add(result);
            }
        }

        return new Results(results[Variant.Stock], results[Variant.Scalable]);
    }
}
