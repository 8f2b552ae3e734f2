using System.Diagnostics;
using System.Text.Json;

namespace TransactionsDemo.Rounds;

/// <summary>
/// Runs a round in its own process. The timers of Orleans' transactions belong to the process, so nothing that one
/// variant leaves behind affects the other.
/// </summary>
internal static class RoundProcess
{
    /// <summary>The name of the command that runs <see cref="RunHereAsync"/>.</summary>
    public const string Command = "round";

    /// <param name="settings">The settings of the round.</param>
    /// <param name="tell">Called with each step before it begins.</param>
    /// <param name="cancellationToken">Ends the process.</param>
    /// <exception cref="InvalidOperationException">The round has failed. Its output has been shown.</exception>
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

    /// <summary>Runs the round in the new process.</summary>
    public static async Task RunHereAsync(string settings)
    {
        var result = await Round.RunAsync(JsonSerializer.Deserialize<RoundSettings>(settings)!, Console.WriteLine);
        Console.WriteLine(JsonSerializer.Serialize(result));
    }
}
