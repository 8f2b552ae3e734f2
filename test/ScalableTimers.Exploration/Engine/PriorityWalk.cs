namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// Probabilistic concurrency testing: random priorities, and at d - 1 random decisions the running thread falls behind
/// all others.
/// </summary>
/// <remarks>
/// Burckhardt and others, 2010: a defect that needs d orderings is found with a probability of at least 1 / (n k^(d-1))
/// for n threads and k steps.
/// </remarks>
internal sealed class PriorityWalk(int seed, int depth, int count) : Strategy
{
    private readonly Random _random = new(seed);
    private readonly Dictionary<int, double> _priorities = [];
    private readonly HashSet<int> _changes = [];
    private int _begun;
    private int _decisions;
    private int _longest = 16;
    private double _lowest;

    internal override bool Begin()
    {
        _longest = Math.Max(_longest, _decisions);
        _decisions = 0;
        _lowest = 0;
        _priorities.Clear();
        _changes.Clear();
        for (var i = 1; i < depth; i++)
        {
            _changes.Add(_random.Next(_longest));
        }

        return _begun++ < count;
    }

    internal override int ChooseThread(List<int> options, bool isPreemption, int decision)
    {
        if (_changes.Contains(_decisions++))
        {
            _priorities[options[0]] = --_lowest;
        }

        var best = 0;
        for (var i = 1; i < options.Count; i++)
        {
            best = Priority(options[i]) > Priority(options[best]) ? i : best;
        }

        return best;
    }

    internal override int ChooseValue(int options, int decision) => _random.Next(options);

    private double Priority(int thread)
    {
        if (!_priorities.TryGetValue(thread, out var priority))
        {
            _priorities[thread] = priority = _random.NextDouble();
        }

        return priority;
    }
}
