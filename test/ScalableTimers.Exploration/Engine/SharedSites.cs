using System.Runtime.CompilerServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// The operations on variables that another thread touches too, as far as the interleavings so far have shown.
/// </summary>
/// <remarks>
/// An operation on a variable that only one thread touches is plain code to all others, and plain code between two
/// points is atomic. So it needs no point. A variable is shared in an interleaving if two threads touch it there and
/// one of them writes. Preparations and checks do not count. The thread and the place in the sources are kept. An
/// exploration runs all interleavings with the places that are known when it begins. If it has learned of new places,
/// it runs the interleavings with a preemption at one of these, and so on until there are no new places.
/// </remarks>
internal sealed class SharedSites
{
    private const int ThreadBits = 4;

    private readonly Dictionary<Place, int> _places = new(PlaceComparer.Instance);
    // The round of the exploration from which on a place is used.
    private readonly Dictionary<int, int> _shared = [];
    private readonly Dictionary<nint, int> _slots = [];
    private readonly List<Use> _uses = [];
    private readonly List<(int Slot, int Key)> _unknown = [];
    private readonly List<(int Stored, int Loaded)> _reorderable = [];
    private readonly List<int>[] _stored =
    [
        .. Enumerable.Range(0, 1 << ThreadBits).Select(static _ => new List<int>())
    ];

    private int _round;
    private bool _hasLearned;

    /// <summary>From now on uses all known places, as if they had always been known.</summary>
    internal void BeginFirstRound()
    {
        if (_round == 0 && !_hasLearned)
        {
            return;
        }

        foreach (var key in _shared.Keys)
        {
            _shared[key] = 0;
        }

        _round = 0;
        _hasLearned = false;
    }

    /// <summary>Uses the places that were found in the last round, and marks them as new.</summary>
    /// <returns>False if there are none.</returns>
    internal bool TryBeginNextRound()
    {
        _round++;
        var hasLearned = _hasLearned;
        _hasLearned = false;
        return hasLearned;
    }

    /// <summary>
    /// Whether a thread has stored to a shared variable and then loaded from another without a fence between. Then
    /// store buffers may change the result.
    /// </summary>
    internal bool HasReordering { get; private set; }

    internal void Begin()
    {
        _slots.Clear();
        _uses.Clear();
        _unknown.Clear();
        _reorderable.Clear();
        foreach (var stored in _stored)
        {
            stored.Clear();
        }
    }

    /// <returns>
    /// Whether other threads touch the variable too, as far as is known, and whether that is new in this round.
    /// </returns>
    internal (bool IsShared, bool IsNew) Touch(int thread, nint address, bool writes, in Site site)
    {
        if (!_slots.TryGetValue(address, out var slot))
        {
            _slots.Add(address, slot = _uses.Count);
            _uses.Add(default);
        }

        var use = _uses[slot];
        _uses[slot] = new Use(use.Threads | (1 << thread), use.IsWritten | writes);
        var key = Key(thread, site);
        NoteOrder(thread, slot, site.Kind);
        if (_shared.TryGetValue(key, out var round))
        {
            return (round <= _round, round == _round && round > 0);
        }

        _unknown.Add((slot, key));
        return default;
    }

    /// <summary>Called where a thread's buffer is emptied.</summary>
    internal void Fence(int thread) => _stored[thread & ((1 << ThreadBits) - 1)].Clear();

    /// <summary>Called when the interleaving is over: learns from it.</summary>
    internal void End()
    {
        foreach (var (slot, key) in _unknown)
        {
            if (_uses[slot].IsShared)
            {
                _hasLearned |= _shared.TryAdd(key, _round + 1);
            }
        }

        HasReordering = HasReordering
            || _reorderable.Exists(pair => _uses[pair.Stored].IsShared && _uses[pair.Loaded].IsShared);
    }

    private void NoteOrder(int thread, int slot, OperationKind kind)
    {
        if (HasReordering)
        {
            return;
        }

        var stored = _stored[thread];
        if (kind == OperationKind.Write)
        {
            stored.Add(slot);
        }
        else if (kind != OperationKind.Read)
        {
            stored.Clear();
        }
        else
        {
            foreach (var before in stored)
            {
                if (before != slot)
                {
                    _reorderable.Add((before, slot));
                }
            }
        }
    }

    private int Key(int thread, in Site site)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(thread, 1 << ThreadBits);
        var place = new Place(site.File, site.Line, site.Kind);
        if (!_places.TryGetValue(place, out var number))
        {
            _places.Add(place, number = _places.Count);
        }

        return (number << ThreadBits) | thread;
    }

    private readonly record struct Use(int Threads, bool IsWritten)
    {
        internal bool IsShared => IsWritten && (Threads & (Threads - 1)) != 0;
    }

    private readonly record struct Place(string File, int Line, OperationKind Kind);

    // The paths are the compiler's constants, so equal paths are one object.
    private sealed class PlaceComparer : IEqualityComparer<Place>
    {
        internal static PlaceComparer Instance { get; } = new();

        public bool Equals(Place x, Place y) => x.Line == y.Line && x.Kind == y.Kind && ReferenceEquals(x.File, y.File);

        public int GetHashCode(Place place) =>
            HashCode.Combine(RuntimeHelpers.GetHashCode(place.File), place.Line, place.Kind);
    }
}
