using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Runtime.CompilerServices.ConditionalWeakTable{TKey, TValue}"/>.</summary>
internal sealed class ConditionalWeakTable<TKey, TValue> : IEnumerable
    where TKey : class
    where TValue : class
{
    private readonly System.Runtime.CompilerServices.ConditionalWeakTable<TKey, TValue> _real = [];

    internal TValue GetValue(
        TKey key, Func<TKey, TValue> create, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(GetValue), file, line);
        return Collection.End(_real.GetValue(key, made => create(made)), nameof(GetValue), file, line);
    }

    internal bool TryGetValue(
        TKey key,
        [MaybeNullWhen(false)] out TValue value,
        [CallerFilePath] string file = "",
        [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(TryGetValue), file, line);
        return Collection.End(_real.TryGetValue(key, out value), nameof(TryGetValue), file, line);
    }

    // A collection expression asks for it.
    IEnumerator IEnumerable.GetEnumerator() => throw new NotSupportedException();
}
