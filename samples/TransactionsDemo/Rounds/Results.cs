using TransactionsDemo.Load;

namespace TransactionsDemo.Rounds;

/// <summary>The results of all rounds, both lists in the order of the rounds.</summary>
internal sealed record Results(List<RoundResult> Stock, List<RoundResult> Scalable)
{
    /// <summary>The name that readers see.</summary>
    public static string Title(bool hasPlugin) => hasPlugin ? "with AddScalableTimers()" : "Orleans alone";

    public List<RoundResult> Of(bool hasPlugin) => hasPlugin ? Scalable : Stock;

    /// <summary>The lateness in all rounds, in ascending order.</summary>
    public List<double> LatenessOf(bool hasPlugin, params WaitKind[] kinds) =>
        [.. Of(hasPlugin).SelectMany(round => kinds.SelectMany(kind => round.Lateness[kind])).Order()];

    /// <summary>Returns one sentence for each error.</summary>
    public IEnumerable<string> Errors()
    {
        foreach (var hasPlugin in (bool[])[false, true])
        {
            foreach (var error in Of(hasPlugin).SelectMany(static round => round.Errors))
            {
                yield return $"{Title(hasPlugin)}: {error}";
            }
        }

        var early = LatenessOf(hasPlugin: true, Enum.GetValues<WaitKind>()).Count(static lateness => lateness < 0);
        if (early > 0)
        {
            yield return $"{Title(hasPlugin: true)}: {early:N0} waits ended early.";
        }
    }
}
