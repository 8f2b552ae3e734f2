namespace ScalableTimers.Exploration.Engine;

/// <summary>Repeats one interleaving.</summary>
internal sealed class Replay(Schedule schedule) : Strategy
{
    private bool _isDone;

    internal override bool Begin()
    {
        var isFirst = !_isDone;
        _isDone = true;
        return isFirst;
    }

    internal override int ChooseThread(List<int> options, bool isPreemption, int decision) =>
        ChooseValue(options.Count, decision);

    internal override int ChooseValue(int options, int decision)
    {
        var chosen = schedule.At(decision);
        return chosen < options
            ? chosen
            : throw new InvalidOperationException(
                $"The schedule does not fit: decision {decision} has {options} options.");
    }
}
