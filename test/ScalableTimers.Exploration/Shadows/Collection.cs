using System.Diagnostics.CodeAnalysis;

namespace ScalableTimers;

/// <summary>
/// Operations on collections that threads share. Each one is a single step, as in the framework's collections, with a
/// point before and after it. An operation that may lock or write empties the thread's store buffer.
/// </summary>
internal static class Collection
{
    internal static void Begin(string name, string file, int line, bool isFence = true)
    {
        var me = LogicalThread.Current;
        me.Begin(new Site(OperationKind.Collection, name, file, line));
        if (isFence)
        {
            me.EmptyBuffer();
        }
    }

    /// <summary>Takes an item out of a collection. If there is none, that only reads.</summary>
    internal static bool TryTake<T>(
        Take<T> take, [MaybeNullWhen(false)] out T item, string name, string file, int line)
    {
        Begin(name, file, line, isFence: false);
        var isFound = take(out item);
        if (isFound)
        {
            Fence();
        }

        return End(isFound, name, file, line);
    }

    internal static void Fence() => LogicalThread.Current.EmptyBuffer();

    internal static T End<T>(T result, string name, string file, int line)
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Collection, name, file, line);
        me.Run.CountWrite(me);
        me.Note(site, $"= {result}");
        me.End(site);
        return result;
    }

    internal delegate bool Take<T>([MaybeNullWhen(false)] out T item);
}
