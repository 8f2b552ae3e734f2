using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using TransactionsDemo.CommandLine;

namespace TransactionsDemo.Comparison;

/// <summary>
/// Runs a round in its own process. Orleans' timers belong to the process, and nothing that one variant leaves behind
/// may affect the other.
/// </summary>
internal static class RoundProcess
{
    /// <exception cref="InvalidOperationException">The round has failed. The message is its output.</exception>
    public static async Task<ComparisonRound> RunAsync(
        ComparisonOptions options, ComparisonPlace place, int round, bool isServed, CancellationToken cancellationToken)
    {
        var json = Path.GetTempFileName();
        try
        {
            string[] arguments =
            [
                "--engine", "orleans", "--timers", "scalable", "--rounds", "1", "--no-delays", "--json", json,
                "--static-timers", isServed ? CompareCommand.Served : CompareCommand.Stock,
                "--silos", Text(place.Silos),
                "--concurrency", Text(place.Concurrency),
                "--seed", Text(options.Seed + round - 1),
                .. options.RoundArguments,
            ];
            await RunAsync(arguments, cancellationToken);
            using var report = JsonDocument.Parse(await File.ReadAllBytesAsync(json, cancellationToken));
            return ComparisonRound.Read(report.RootElement.GetProperty("runs")[0], place, round, isServed);
        }
        finally
        {
            File.Delete(json);
        }
    }

    private static async Task RunAsync(string[] arguments, CancellationToken cancellationToken)
    {
        using var process = Process.Start(OwnProgram.StartInfo(arguments))!;
        try
        {
            var errors = process.StandardError.ReadToEndAsync(cancellationToken);
            var output = await process.StandardOutput.ReadToEndAsync(cancellationToken);
            await process.WaitForExitAsync(cancellationToken);
            if (process.ExitCode != 0)
            {
                throw new InvalidOperationException($"{string.Join(' ', arguments)}\n{output}{await errors}");
            }
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill();
            }
        }
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
