using TransactionsDemo.Load;

namespace TransactionsDemo.Rounds;

/// <summary>The results of all rounds, both lists in the order of the rounds.</summary>
internal sealed record Results(IReadOnlyList<RoundResult> Stock, IReadOnlyList<RoundResult> Scalable)
{
    public IReadOnlyList<RoundResult> Of(Variant variant) => variant == Variant.Stock ? Stock : Scalable;

    public Spread SpreadOf(Variant variant, Func<RoundResult, double> valueOf) =>
        Spread.Of(Of(variant).Select(valueOf));

    /// <summary>Scalable divided by stock, round by round: both made the same transfers, one after the other.</summary>
    public Spread RatioOf(Func<RoundResult, double> valueOf) =>
        Spread.Of(Scalable.Zip(Stock, (scalable, stock) => valueOf(scalable) / valueOf(stock)));

    /// <summary>The lateness in all rounds, in ascending order.</summary>
    public IReadOnlyList<double> LatenessOf(Variant variant, params WaitKind[] kinds) =>
    [
        .. Of(variant).SelectMany(round => kinds.SelectMany(round.LatenessOf)).Order(),
    ];

    /// <summary>Returns one sentence for each error.</summary>
    public IEnumerable<string> Errors()
    {
        foreach (var variant in Enum.GetValues<Variant>())
        {
            foreach (var error in Of(variant).SelectMany(static round => round.Errors))
            {
                yield return $"{variant.Title()}: {error}";
            }
        }

        var early = LatenessOf(Variant.Scalable, Enum.GetValues<WaitKind>()).Count(static lateness => lateness < 0);
        if (early > 0)
        {
            yield return $"{Variant.Scalable.Title()}: {early:N0} waits ended early.";
        }
    }
}
