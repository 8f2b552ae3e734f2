namespace ScalableTimers.Exploration.Engine;

/// <summary>Runs every interleaving with at most a given number of preemptions, each once.</summary>
/// <param name="bound">The number of preemptions.</param>
/// <param name="isForNewPlaces">
/// Whether one of the preemptions has to be at a new place. Some interleavings with fewer preemptions then come again.
/// </param>
internal sealed class DepthFirst(int bound, bool isForNewPlaces = false) : Strategy
{
    private readonly List<Decision> _path = [];
    private int _position;
    private int _known;
    private int _left;
    private bool _hasBeenAtNewPlace;
    private bool _isFirst = true;

    internal override bool IsExhaustive => true;

    // The last preemption is kept for a new place.
    internal override bool MayPreempt => _left > (isForNewPlaces && !_hasBeenAtNewPlace && !IsAtNewPlace ? 1 : 0);

    internal override bool Begin()
    {
        if (!_isFirst)
        {
            while (_path.Count > 0 && _path[^1].Chosen + 1 == _path[^1].Options)
            {
                _path.RemoveAt(_path.Count - 1);
            }

            if (_path.Count == 0)
            {
                return false;
            }

            _path[^1] = _path[^1] with { Chosen = _path[^1].Chosen + 1 };
        }

        _isFirst = false;
        _known = _path.Count;
        Restart();
        return true;
    }

    internal override void BeginAgain()
    {
        _path.RemoveRange(_known, _path.Count - _known);
        Restart();
        Mismatch = null;
    }

    private void Restart()
    {
        _position = 0;
        _left = bound;
        _hasBeenAtNewPlace = false;
        IsAtNewPlace = false;
    }

    internal override int ChooseThread(List<int> options, bool isPreemption, int decision)
    {
        var chosen = ChooseValue(options.Count, decision);
        if (isPreemption && chosen != 0)
        {
            _left--;
            _hasBeenAtNewPlace |= IsAtNewPlace;
        }

        return chosen;
    }

    internal override int ChooseValue(int options, int decision)
    {
        if (_position == _path.Count)
        {
            _path.Add(new Decision(options, 0));
        }

        var known = _path[_position++];
        if (known.Options != options)
        {
            // A garbage collection moves variables, so that they look like others. Then this interleaving is run again.
            Mismatch ??= $"The scenario is not deterministic: {known.Options} options before, {options} now.";
            return 0;
        }

        return known.Chosen;
    }

    private readonly record struct Decision(int Options, int Chosen);
}
