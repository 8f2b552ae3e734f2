using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Collections.Concurrent.ConcurrentDictionary{TKey, TValue}"/>. An enumeration is a step for
/// each pair, so it may miss pairs that are added meanwhile.
/// </summary>
[Shadow]
internal sealed class ConcurrentDictionary<TKey, TValue>(IEqualityComparer<TKey>? comparer)
    : IEnumerable<KeyValuePair<TKey, TValue>>
    where TKey : notnull
{
    private readonly System.Collections.Concurrent.ConcurrentDictionary<TKey, TValue> _real = new(comparer);

    public ConcurrentDictionary()
        : this(null)
    {
    }

    internal int Count
    {
        get
        {
            Collection.Begin(nameof(Count), "", 0);
            return Collection.End(_real.Count, nameof(Count), "", 0);
        }
    }

    internal TValue this[TKey key, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0]
    {
        set
        {
            Collection.Begin("set", file, line);
            _real[key] = value;
            Collection.End(value, "set", file, line);
        }
    }

    internal bool TryGetValue(
        TKey key,
        [MaybeNullWhen(false)] out TValue value,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(TryGetValue), file, line, isFence: false);
        return Collection.End(_real.TryGetValue(key, out value), nameof(TryGetValue), file, line);
    }

    internal bool ContainsKey(TKey key, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(ContainsKey), file, line, isFence: false);
        return Collection.End(_real.ContainsKey(key), nameof(ContainsKey), file, line);
    }

    internal TValue GetOrAdd(TKey key, TValue value, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(GetOrAdd), file, line);
        return Collection.End(_real.GetOrAdd(key, value), nameof(GetOrAdd), file, line);
    }

    internal bool TryAdd(TKey key, TValue value, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(TryAdd), file, line);
        return Collection.End(_real.TryAdd(key, value), nameof(TryAdd), file, line);
    }

    internal bool TryRemove(
        KeyValuePair<TKey, TValue> pair, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(TryRemove), file, line);
        return Collection.End(_real.TryRemove(pair), nameof(TryRemove), file, line);
    }

    internal void Clear([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(Clear), file, line);
        _real.Clear();
        Collection.End(true, nameof(Clear), file, line);
    }

    public IEnumerator<KeyValuePair<TKey, TValue>> GetEnumerator()
    {
        using var pairs = _real.GetEnumerator();
        while (true)
        {
            Collection.Begin("next", "", 0, isFence: false);
            if (!Collection.End(pairs.MoveNext(), "next", "", 0))
            {
                yield break;
            }

            yield return pairs.Current;
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
