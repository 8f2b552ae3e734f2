using System.Diagnostics;
using System.Globalization;
using System.Text;
using TransactionsDemo.CommandLine;
using TransactionsDemo.Report;

namespace TransactionsDemo.Comparison;

/// <summary>
/// Runs a round in its own process. Orleans' timers belong to the process, and nothing that one variant leaves behind
/// may affect the other.
/// </summary>
internal static class RoundProcess
{
    /// <exception cref="InvalidOperationException">The round has failed; the message is what it wrote.</exception>
    public static async Task<RunFigures> RunAsync(
        ComparisonOptions options,
        ComparisonPlace place,
        int round,
        Variant variant,
        Action<string> showProgress,
        CancellationToken cancellationToken)
    {
        var json = Path.GetTempFileName();
        try
        {
            string[] arguments =
            [
                "--engine", "orleans", "--rounds", "1", "--no-delays", "--json", json, ProgressLine.Option,
                "--silos", Text(place.Silos),
                "--concurrency", Text(place.Concurrency),
                "--seed", Text(options.Seed + round - 1),
                .. options.RoundArguments,
                .. variant.Arguments,
            ];
            showProgress("starting");
            await RunAsync(arguments, showProgress, cancellationToken);
            return await JsonReport.ReadRunAsync(json, cancellationToken);
        }
        finally
        {
            File.Delete(json);
        }
    }

    private static async Task RunAsync(
        string[] arguments, Action<string> showProgress, CancellationToken cancellationToken)
    {
        using var process = Process.Start(OwnProgram.StartInfo(arguments))!;
        try
        {
            var errors = process.StandardError.ReadToEndAsync(cancellationToken);
            var output = new StringBuilder();
            while (await process.StandardOutput.ReadLineAsync(cancellationToken) is { } line)
            {
                if (ProgressLine.TryRead(line, out var state))
                {
                    showProgress(state);
                }
                else
                {
                    output.AppendLine(line);
                }
            }

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
