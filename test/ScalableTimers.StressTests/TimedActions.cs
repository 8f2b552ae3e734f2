using System.Diagnostics;

namespace ScalableTimers.StressTests;

/// <summary>Runs actions on a spinning thread, each at its own moment, as exactly as the machine allows.</summary>
internal sealed class TimedActions
{
    private readonly List<(long At, Action Do)> _actions = [];

    internal void Add(long at, Action action) => _actions.Add((at, action));

    /// <summary>
    /// Adds an action near a deadline: the end of the tick in which the due time falls, and a moment for the driver to
    /// wake.
    /// </summary>
    internal void AddNear(long dueAt, Random random, Action action) =>
        Add(StressTime.Around(dueAt, -1, 2, random), action);

    internal void Run()
    {
        _actions.Sort(static (left, right) => left.At.CompareTo(right.At));
        foreach (var (at, action) in _actions)
        {
            // Yield to the driver and the pool, which need the processors more.
            while (Stopwatch.GetTimestamp() < at)
            {
                Thread.Yield();
            }

            action();
        }
    }
}
