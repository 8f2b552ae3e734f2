using System.Globalization;

namespace ScalableTimers.Exploration.Engine;

/// <summary>An interleaving, written as the decisions that did not take the first option: "12:1 40:2".</summary>
internal sealed class Schedule(IReadOnlyDictionary<int, int> choices)
{
    internal static Schedule Parse(string text) =>
        new(text.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            .Select(static part => part.Split(':'))
            .ToDictionary(
                static part => int.Parse(part[0], CultureInfo.InvariantCulture),
                static part => int.Parse(part[1], CultureInfo.InvariantCulture)));

    internal int At(int decision) => choices.TryGetValue(decision, out var chosen) ? chosen : 0;

    public override string ToString() =>
        string.Join(' ', choices.OrderBy(static pair => pair.Key).Select(static pair => $"{pair.Key}:{pair.Value}"));
}
