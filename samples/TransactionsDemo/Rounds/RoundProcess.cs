using System.Diagnostics;
using System.Text.Json;

namespace TransactionsDemo.Rounds;

/// <summary>
/// Runs a round in a process of its own. The timers of Orleans' transactions belong to the process, so nothing that one
/// variant leaves behind meets the other.
/// </summary>
internal static class RoundProcess
{
    /// <summary>The name of the command that <see cref="RunHereAsync"/> answers.</summary>
    public const string Command = "round";

    /// <param name="settings">What to do.</param>
    /// <param name="tell">Called with what it does next.</param>
    /// <param name="cancellationToken">Ends the process.</param>
    /// <exception cref="InvalidOperationException">The round has failed. What it wrote has been shown.</exception>
    public static async Task<RoundResult> RunAsync(
        RoundSettings settings, Action<string> tell, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true };
        start.ArgumentList.Add(typeof(RoundProcess).Assembly.Location);
        start.ArgumentList.Add(Command);
        start.ArgumentList.Add(JsonSerializer.Serialize(settings));
        using var process = Process.Start(start)!;
        await using var ending = cancellationToken.Register(process.Kill);

        // Its last line is the result.
        RoundResult? result = null;
        while (await process.StandardOutput.ReadLineAsync(cancellationToken) is { } line)
        {
            if (line.StartsWith('{'))
            {
                result = JsonSerializer.Deserialize<RoundResult>(line);
            }
            else
            {
                tell(line);
            }
        }

        await process.WaitForExitAsync(cancellationToken);
        return process.ExitCode == 0 && result is not null
            ? result
            : throw new InvalidOperationException(
                $"Round {settings.Number}, {settings.Variant.Title()}, has failed with exit code {process.ExitCode}.");
    }

    /// <summary>What the other process does.</summary>
    public static async Task RunHereAsync(string settings)
    {
        var result = await Round.RunAsync(JsonSerializer.Deserialize<RoundSettings>(settings)!, Console.WriteLine);
        Console.WriteLine(JsonSerializer.Serialize(result));
    }
}
