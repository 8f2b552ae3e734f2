using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Collections.Concurrent.ConcurrentQueue{T}"/>: each operation is one step.</summary>
internal sealed class ConcurrentQueue<T>
{
    private readonly Queue<T> _items = new();

    internal int Count
    {
        get
        {
            Collection.Begin(nameof(Count), "", 0, isFence: false);
            return Collection.End(_items.Count, nameof(Count), "", 0);
        }
    }

    internal bool IsEmpty => Count == 0;

    internal void Clear([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(Clear), file, line);
        _items.Clear();
        Collection.End(0, nameof(Clear), file, line);
    }

    internal void Enqueue(T item, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(Enqueue), file, line);
        _items.Enqueue(item);
        Collection.End(_items.Count, nameof(Enqueue), file, line);
    }

    internal bool TryDequeue(
        [MaybeNullWhen(false)] out T item, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Collection.TryTake(_items.TryDequeue, out item, nameof(TryDequeue), file, line);
}
