using System.Collections;
using System.Runtime.CompilerServices;

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

    // Collection expressions require it.
    IEnumerator IEnumerable.GetEnumerator() => throw new NotSupportedException();
}
