using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// Operations on variables that more than one thread touches, as far as the interleavings so far have shown.
/// </summary>
/// <remarks>
/// An operation on a variable that only one thread touches is plain code to all others, and plain code between two
/// points is atomic, so it needs no point. A variable is shared in an interleaving if two threads touch it there and
/// one of them writes. Preparations and checks do not count. The thread and the place in the sources are kept. A search
/// that has found new places starts over.
/// </remarks>
internal sealed class SharedSites
{
    private readonly HashSet<Place> _shared = [];
    private readonly Dictionary<nint, Use> _uses = [];
    private readonly List<(Place Place, nint Address)> _unknown = [];

    /// <summary>Called when an interleaving begins.</summary>
    internal void Begin()
    {
        _uses.Clear();
        _unknown.Clear();
    }

    /// <returns>Whether other threads touch the variable too, as far as is known.</returns>
    internal bool Touch(int thread, nint address, bool writes, in Site site)
    {
        ref var use = ref CollectionsMarshal.GetValueRefOrAddDefault(_uses, address, out _);
        use = new Use(use.Threads | (1 << thread), use.IsWritten | writes);
        var place = new Place(thread, site.File, site.Line, site.Kind);
        if (_shared.Contains(place))
        {
            return true;
        }

        _unknown.Add((place, address));
        return false;
    }

    /// <summary>Called when the interleaving is over.</summary>
    /// <returns>Whether it has shown new places.</returns>
    internal bool Learn()
    {
        var known = _shared.Count;
        foreach (var (place, address) in _unknown)
        {
            if (_uses[address].IsOrdered)
            {
                _shared.Add(place);
            }
        }

        return _shared.Count > known;
    }

    private readonly record struct Use(int Threads, bool IsWritten)
    {
        internal bool IsOrdered => IsWritten && (Threads & (Threads - 1)) != 0;
    }

    private readonly record struct Place(int Thread, string File, int Line, OperationKind Kind)
    {
        // The paths are the compiler's constants, so equal paths are one object.
        public bool Equals(Place other) =>
            Thread == other.Thread && Line == other.Line && Kind == other.Kind && ReferenceEquals(File, other.File);

        public override int GetHashCode() => HashCode.Combine(RuntimeHelpers.GetHashCode(File), Line, Kind, Thread);
    }
}
