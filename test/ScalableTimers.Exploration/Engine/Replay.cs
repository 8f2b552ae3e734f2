using System.Globalization;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Repeats one interleaving.</summary>
/// <param name="schedule">The decisions that did not take the first option: "12:1 40:2".</param>
internal sealed class Replay(string schedule) : Strategy
{
    private readonly Dictionary<int, int> _choices = schedule.Split(' ', StringSplitOptions.RemoveEmptyEntries)
        .Select(static part => part.Split(':'))
        .ToDictionary(
            static part => int.Parse(part[0], CultureInfo.InvariantCulture),
            static part => int.Parse(part[1], CultureInfo.InvariantCulture));

    internal override bool Begin() => true;

    internal override int Choose(int options, bool isPreemption, int decision) => _choices.GetValueOrDefault(decision);
}
