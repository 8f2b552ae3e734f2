using System.Reflection;
using Orleans.Timers.Internal;

namespace TransactionsDemo.OnOrleans;

/// <summary>The queues of Orleans' static timers, one for each thread that has ever started one.</summary>
internal static class StaticTimerQueues
{
    private const BindingFlags Any =
        BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>Counts what is in them, one queue after another, each under its lock.</summary>
    /// <returns>Null if this version of Orleans is built differently.</returns>
    public static long? CountPending()
    {
        var assembly = typeof(ITimerManager).Assembly;
        var timer = assembly.GetType("Orleans.Timers.Internal.TimerManager")?.GetNestedType("DelayTimer", Any);
        if (timer is null)
        {
            return null;
        }

        var manager = assembly.GetType("Orleans.Timers.Internal.TimerManager`1")?.MakeGenericType(timer);
        var next = assembly.GetType("Orleans.Timers.Internal.ILinkedListElement`1")?.MakeGenericType(timer)
            .GetProperty("Next");
        if (next is null || manager?.GetField("allQueues", Any)?.GetValue(null) is not Array queues)
        {
            return null;
        }

        long? pending = 0;
        foreach (var queue in queues)
        {
            pending += queue is null ? 0 : CountUnderLock(queue, next);
        }

        return pending;
    }

    private static long? CountUnderLock(object queue, PropertyInfo next)
    {
        var guard = queue.GetType().GetField("Lock", Any)?.GetValue(queue);
        var head = queue.GetType().GetProperty("Head", Any);
        var (tryGet, release) = (
            guard?.GetType().GetMethod("TryGet", Any), guard?.GetType().GetMethod("TryRelease", Any));
        if (head is null || tryGet is null || release is null)
        {
            return null;
        }

        while (!(bool)tryGet.Invoke(guard, null)!)
        {
            Thread.Yield();
        }

        try
        {
            var count = 0L;
            for (var node = head.GetValue(queue); node is not null; node = next.GetValue(node))
            {
                count++;
            }

            return count;
        }
        finally
        {
            release.Invoke(guard, null);
        }
    }
}
