using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>
/// Operations on collections that threads share. Each one is a single step, as in the framework's collections, with a
/// point before and after it. An operation that may lock or write empties the thread's store buffer.
/// </summary>
[Shadow]
internal static class Collection
{
    internal static void Begin(string name, string file, int line, bool isFence = true)
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return;
        }

        me.Run.Begin(me, new Site(OperationKind.Collection, name, file, line));
        if (isFence)
        {
            me.Run.EmptyBuffer(me);
        }
    }

    internal static void Fence()
    {
        if (LogicalThread.Current is { } me)
        {
            me.Run.EmptyBuffer(me);
        }
    }

    internal static T End<T>(T result, string name, string file, int line)
    {
        if (LogicalThread.Current is { } me)
        {
            var site = new Site(OperationKind.Collection, name, file, line);
            me.Run.CountWrite(me);
            if (me.Run.Trace is not null)
            {
                me.Run.Note(me, site, $"= {result}");
            }

            me.Run.End(me, site);
        }

        return result;
    }
}
