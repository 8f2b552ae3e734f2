using Cluster.Load;
using Cluster.Rounds;

namespace Cluster.Report;

/// <summary>What one should have seen, in sentences.</summary>
internal static class Conclusion
{
    private const int MostErrors = 10;

    public static List<string> OfRound(RoundResult round) => round.Errors.Count == 0
        ? [$"Audit: all {BankLoad.Accounts} accounts were read. {AuditOf([round])}"]
        : [.. round.Errors.Take(MostErrors).Select(static error => $"WRONG: {error}")];

    /// <param name="rounds">The rounds that have ended.</param>
    /// <param name="planned">How many there should have been.</param>
    public static List<string> OfAll(IReadOnlyCollection<RoundResult> rounds, int planned)
    {
        List<string> sentences = [];
        var wrong = rounds.Sum(static round => round.Errors.Count);
        if (wrong != 0)
        {
            sentences.Add($"WRONG: {wrong} errors, which are listed after each round.");
        }
        else if (rounds.Count != 0)
        {
            sentences.Add(AuditOf(rounds));
        }

        if (rounds.Count != planned)
        {
            sentences.Add($"{rounds.Count} of {planned} rounds came to their end.");
        }

        return sentences;
    }

    private static string AuditOf(IReadOnlyCollection<RoundResult> rounds) =>
        $"Each of {rounds.Sum(static round => round.Fates.Values.Sum()):N0} transfers is as its caller was told, or in "
        + "both accounts or neither if it was told nothing. No money is missing.";
}
