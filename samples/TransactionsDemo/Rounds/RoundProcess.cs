using System.Text.Json;
using Shared;

namespace TransactionsDemo.Rounds;

/// <summary>
/// Runs a round in its own process. The timers of Orleans' transactions belong to the process, so nothing that one
/// variant leaves behind affects the other.
/// </summary>
internal static class RoundProcess
{
    /// <summary>The name of the command that runs <see cref="RunHereAsync"/>.</summary>
    public const string Command = "round";

    /// <inheritdoc cref="OwnProcess.RunAsync"/>
    public static Task<RoundResult> RunAsync(
        RoundSettings settings, Action<string> tell, CancellationToken cancellationToken) =>
        OwnProcess.RunAsync<RoundResult>([Command, JsonSerializer.Serialize(settings)], tell, cancellationToken);

    /// <summary>Runs the round in the new process.</summary>
    public static async Task RunHereAsync(string settings) => OwnProcess.Report(
        await Round.RunAsync(JsonSerializer.Deserialize<RoundSettings>(settings)!, Console.WriteLine));
}
