using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Collections.Concurrent.ConcurrentDictionary{TKey, TValue}"/>.</summary>
/// <remarks>
/// As in the framework's, adding takes a lock, which is a fence, but leaves it by a store, which need not be one: what
/// was added may stay in the store buffer. Reading takes no lock, nor does removing what is not seen.
/// </remarks>
internal sealed class ConcurrentDictionary<TKey, TValue>(IEqualityComparer<TKey>? comparer)
    where TKey : notnull
{
    private readonly System.Collections.Concurrent.ConcurrentDictionary<TKey, Node> _real = new(comparer);

    public ConcurrentDictionary()
        : this(null)
    {
    }

    internal int Count
    {
        get
        {
            Collection.Begin(nameof(Count), "", 0);
            foreach (var (_, node) in _real)
            {
                node.WaitUntilSeen();
            }

            return Collection.End(_real.Count, nameof(Count), "", 0);
        }
    }

    internal TValue this[TKey key, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0]
    {
        set
        {
            Collection.Begin("set", file, line);
            Require(!_real.ContainsKey(key), "A value is replaced, which has no stand-in.");
            Collection.End(Add(key, value).Value, "set", file, line);
        }
    }

    internal bool TryGetValue(
        TKey key,
        [MaybeNullWhen(false)] out TValue value,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(TryGetValue), file, line, isFence: false);
        var isFound = _real.TryGetValue(key, out var node) && node.IsSeen;
        value = isFound ? node!.Value : default;
        return Collection.End(isFound, nameof(TryGetValue), file, line);
    }

    internal TValue GetOrAdd(TKey key, TValue value, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(GetOrAdd), file, line);
        return Collection.End(Add(key, value).Value, nameof(GetOrAdd), file, line);
    }

    internal bool TryRemove(
        KeyValuePair<TKey, TValue> pair, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(TryRemove), file, line, isFence: false);
        var isRemoved = _real.TryGetValue(pair.Key, out var node)
            && EqualityComparer<TValue>.Default.Equals(node.Value, pair.Value)
            && node.IsSeen;
        if (isRemoved)
        {
            Collection.Fence();
            node!.WaitUntilSeen();
            _real.TryRemove(pair.Key, out _);
        }

        return Collection.End(isRemoved, nameof(TryRemove), file, line);
    }

    private Node Add(TKey key, TValue value)
    {
        if (_real.TryGetValue(key, out var known))
        {
            known.WaitUntilSeen();
            return known;
        }

        return _real.GetOrAdd(key, new Node(value));
    }

    private sealed class Node
    {
        private bool _isThere;

        internal Node(TValue value)
        {
            Value = value;
            SharedMemory.Store(LogicalThread.Current, ref _isThere, true, isPlain: true);
        }

        internal TValue Value { get; }

        /// <summary>Whether a thread that takes no lock finds it.</summary>
        internal bool IsSeen => SharedMemory.Load(LogicalThread.Current, ref _isThere);

        /// <summary>Called under the lock, which is free only when this has left its thread's buffer.</summary>
        internal void WaitUntilSeen() => LogicalThread.Current.Run.Buffers?.Drain(ref _isThere);
    }
}
