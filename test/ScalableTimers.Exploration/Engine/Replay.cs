namespace ScalableTimers.Exploration.Engine;

/// <summary>One interleaving once more.</summary>
internal sealed class Replay(Schedule schedule) : Strategy
{
    private bool _isDone;
    private int _decisions;

    internal override bool Begin()
    {
        var isFirst = !_isDone;
        _isDone = true;
        return isFirst;
    }

    internal override void BeginAgain() => _decisions = 0;

    internal override int ChooseThread(List<int> options, bool isPreemption) => ChooseValue(options.Count);

    internal override int ChooseValue(int options)
    {
        var chosen = schedule.At(_decisions++);
        return chosen < options
            ? chosen
            : throw new InvalidOperationException($"The schedule does not fit: decision {_decisions - 1} has {options} options.");
    }
}
