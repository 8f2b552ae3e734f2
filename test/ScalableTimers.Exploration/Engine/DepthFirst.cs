namespace ScalableTimers.Exploration.Engine;

/// <summary>Runs every interleaving with at most a given number of preemptions, each once.</summary>
internal sealed class DepthFirst(int bound) : Strategy
{
    private readonly List<Decision> _path = [];
    private bool _hasBegun;
    private int _position;
    private int _known;
    private int _left;

    internal override bool MayPreempt => _left > 0;

    internal override bool Begin()
    {
        while (_path.Count > 0 && _path[^1].Chosen + 1 == _path[^1].Options)
        {
            _path.RemoveAt(_path.Count - 1);
        }

        if (_path.Count > 0)
        {
            _path[^1] = _path[^1] with { Chosen = _path[^1].Chosen + 1 };
        }
        else if (_hasBegun)
        {
            return false;
        }

        _hasBegun = true;
        _known = _path.Count;
        BeginAgain();
        return true;
    }

    internal override void BeginAgain()
    {
        _path.RemoveRange(_known, _path.Count - _known);
        _position = 0;
        _left = bound;
    }

    internal override void StartOver()
    {
        _path.Clear();
        _hasBegun = false;
    }

    internal override int Choose(int options, bool isPreemption, int decision)
    {
        if (_position == _path.Count)
        {
            _path.Add(new Decision(options, 0));
        }

        var known = _path[_position++];
        if (known.Options != options)
        {
            return -1;
        }

        if (isPreemption && known.Chosen != 0)
        {
            _left--;
        }

        return known.Chosen;
    }

    private readonly record struct Decision(int Options, int Chosen);
}
