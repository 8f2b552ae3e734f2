using System.Diagnostics;

namespace ScalableTimers.StressTests;

/// <summary>Actions that a spinning thread runs each at its own moment, as near to it as the machine allows.</summary>
internal sealed class TimedActions
{
    private readonly List<(long At, Action Do)> _actions = [];

    internal void Add(long at, Action action) => _actions.Add((at, action));

    internal void Run()
    {
        _actions.Sort(static (left, right) => left.At.CompareTo(right.At));
        foreach (var (at, action) in _actions)
        {
            // Yields, because the driver and the pool need the processors more than this thread does.
            while (Stopwatch.GetTimestamp() < at)
            {
                Thread.Yield();
            }

            action();
        }
    }
}
