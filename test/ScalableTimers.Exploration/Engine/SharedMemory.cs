using System.Numerics;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Operations on variables that threads share, each with a point before and after it.</summary>
internal static class SharedMemory
{
    internal static T Read<T>(ref T location, in Site site)
    {
        var me = LogicalThread.Current;
        me.Begin(site, Address(ref location), writes: false);
        var value = me.IsMutated(site, MutantKind.StaleRead)
            && me.Seen!.TryGetValue(Address(ref location), out var last)
                ? (T)last!
                : Load(me, ref location);
        me.Seen?[Address(ref location)] = value;
        me.Note(site, $"= {Text(value)}");
        me.End(site);
        return value;
    }

    internal static void Write<T>(ref T location, T value, in Site site)
    {
        var me = LogicalThread.Current;
        me.Begin(site, Address(ref location), writes: true);
        me.Seen?[Address(ref location)] = value;
        me.Note(site, $":= {Text(value)}");
        if (me.IsMutated(site, MutantKind.LostWrite))
        {
            me.Run.Buffers!.Lose(me, ref location, value);
        }
        else if (me.IsMutated(site, MutantKind.LateWrite))
        {
            me.Run.Buffers!.StoreLate(me, ref location, value);
        }
        else
        {
            Store(me, ref location, value, isPlain: true);
        }

        me.End(site);
    }

    internal static T CompareExchange<T>(ref T location, T value, T comparand, in Site site)
    {
        var me = LogicalThread.Current;
        var seen = BeginAtomic(me, ref location, site, out var isTorn);
        if (AreSame(seen, comparand))
        {
            EndAtomic(me, ref location, seen, value, site, isTorn);
        }
        else
        {
            me.Seen?[Address(ref location)] = seen;
            me.Note(site, $"= {Text(seen)}, not {Text(comparand)}");
            me.End(site);
        }

        return seen;
    }

    internal static T Exchange<T>(ref T location, T value, in Site site)
    {
        var me = LogicalThread.Current;
        var seen = BeginAtomic(me, ref location, site, out var isTorn);
        EndAtomic(me, ref location, seen, value, site, isTorn);
        return seen;
    }

    /// <returns>The sum.</returns>
    internal static T Add<T>(ref T location, T value, in Site site)
        where T : INumber<T>
    {
        var me = LogicalThread.Current;
        var seen = BeginAtomic(me, ref location, site, out var isTorn);
        EndAtomic(me, ref location, seen, seen + value, site, isTorn);
        return seen + value;
    }

    internal static void Fence(in Site site)
    {
        var me = LogicalThread.Current;
        if (!me.IsMutated(site, MutantKind.NoFence))
        {
            me.Begin(site);
            me.EmptyBuffer();
            me.Note(site);
            me.End(site);
        }
    }

    private static T BeginAtomic<T>(LogicalThread me, ref T location, in Site site, out bool isTorn)
    {
        me.Begin(site, Address(ref location), writes: true);
        isTorn = me.IsMutated(site, MutantKind.NotAtomic);
        if (!isTorn)
        {
            me.EmptyBuffer();
        }

        var seen = Load(me, ref location);
        if (isTorn)
        {
            me.Pause(site);
        }

        return seen;
    }

    private static void EndAtomic<T>(LogicalThread me, ref T location, T seen, T value, in Site site, bool isTorn)
    {
        me.Seen?[Address(ref location)] = value;
        me.Note(site, $"{Text(seen)} -> {Text(value)}");
        Store(me, ref location, value, isPlain: isTorn);
        me.End(site);
    }

    // The explorer arranges and checks between two steps of all threads, past their buffers.
    internal static T Load<T>(LogicalThread me, ref T location) =>
        me is { IsOutside: false, Run.Buffers: { } buffers } ? buffers.Load(me, ref location) : location;

    internal static void Store<T>(LogicalThread me, ref T location, T value, bool isPlain)
    {
        if (me is not { IsOutside: false, Run.Buffers: { } buffers })
        {
            me.Run.CountWrite(me);
            location = value;
        }
        else if (isPlain)
        {
            buffers.Store(me, ref location, value);
        }
        else
        {
            buffers.StoreThrough(me, ref location, value);
        }
    }

    private static unsafe nint Address<T>(ref T location) => (nint)Unsafe.AsPointer(ref location);

    private static bool AreSame<T>(T one, T other) =>
        typeof(T).IsValueType ? EqualityComparer<T>.Default.Equals(one, other) : ReferenceEquals(one, other);

    private static string Text<T>(T value) => value switch
    {
        null => "null",
        long and (long.MaxValue or long.MinValue) => value.Equals(long.MaxValue) ? "max" : "min",
        ValueType => value.ToString() ?? "",
        _ => $"{value.GetType().Name}#{RuntimeHelpers.GetHashCode(value) % 1000}",
    };
}
