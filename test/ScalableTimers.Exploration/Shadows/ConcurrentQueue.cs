using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Collections.Concurrent.ConcurrentQueue{T}"/>: each operation is one step.</summary>
[Shadow]
internal sealed class ConcurrentQueue<T>
{
    private readonly Queue<T> _items = new();

    internal int Count => Step(static items => items.Count, nameof(Count), "", 0);

    internal void Enqueue(T item, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Step(
            items =>
            {
                items.Enqueue(item);
                return items.Count;
            },
            nameof(Enqueue),
            file,
            line);

    internal bool TryDequeue([MaybeNullWhen(false)] out T item, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        T? found = default;
        var isFound = Step(items => items.TryDequeue(out found), nameof(TryDequeue), file, line);
        item = found;
        return isFound;
    }

    private TResult Step<TResult>(Func<Queue<T>, TResult> step, string name, string file, int line)
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return step(_items);
        }

        var site = new Site(OperationKind.Collection, name, file, line);
        me.Run.Begin(me, site);
        me.Run.EmptyBuffer(me);
        var result = step(_items);
        me.Run.CountWrite(me);
        if (me.Run.Trace is not null)
        {
            me.Run.Note(me, site, $"= {result}");
        }

        me.Run.End(me, site);
        return result;
    }
}
