using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Collections.Concurrent.ConcurrentStack{T}"/>: each operation is one step.</summary>
internal sealed class ConcurrentStack<T>
{
    private readonly Stack<T> _items = new();

    internal bool IsEmpty
    {
        get
        {
            Collection.Begin(nameof(IsEmpty), "", 0, isFence: false);
            return Collection.End(_items.Count == 0, nameof(IsEmpty), "", 0);
        }
    }

    internal void Push(T item, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Collection.Begin(nameof(Push), file, line);
        _items.Push(item);
        Collection.End(_items.Count, nameof(Push), file, line);
    }

    internal bool TryPop(
        [MaybeNullWhen(false)] out T item, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Collection.TryTake(_items.TryPop, out item, nameof(TryPop), file, line);
}
