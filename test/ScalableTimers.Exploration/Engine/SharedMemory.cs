using System.Numerics;
using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Operations on variables that threads share, each with a point before and after it.</summary>
internal static class SharedMemory
{
    internal static T Read<T>(ref T location, in Site site)
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return location;
        }

        var run = me.Run;
        Touch(me, ref location, site, writes: false);
        run.Begin(me, site);
        var value = TryReadStale(me, ref location, site, out var stale) ? stale! : Load(me, ref location);
        See(me, ref location, value);
        if (run.Trace is not null)
        {
            run.Note(me, site, $"= {Text(value)}");
        }

        run.End(me, site);
        return value;
    }

    internal static void Write<T>(ref T location, T value, in Site site)
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            location = value;
            return;
        }

        var run = me.Run;
        Touch(me, ref location, site, writes: true);
        run.Begin(me, site);
        if (run.Trace is not null)
        {
            run.Note(me, site, $":= {Text(value)}");
        }

        See(me, ref location, value);
        if (run.IsMutated(me, site, MutantKind.LostWrite))
        {
            run.Buffers!.Lose(me, ref location, value);
        }
        else if (run.IsMutated(me, site, MutantKind.LateWrite))
        {
            run.Buffers!.StoreLate(me, ref location, value);
        }
        else if (run.Buffers is { } buffers)
        {
            buffers.Store(me, ref location, value);
        }
        else
        {
            run.CountWrite(me, me.Touches);
            location = value;
        }

        run.End(me, site);
    }

    internal static T CompareExchange<T>(ref T location, T value, T comparand, in Site site) =>
        Exchange(ref location, value, isConditional: true, comparand, site);

    internal static T Exchange<T>(ref T location, T value, in Site site) =>
        Exchange(ref location, value, isConditional: false, comparand: value, site);

    /// <returns>The sum.</returns>
    internal static T Add<T>(ref T location, T value, in Site site)
        where T : INumber<T>
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return location += value;
        }

        var run = me.Run;
        var isTorn = BeginAtomic(me, ref location, site);
        var seen = Load(me, ref location);
        if (isTorn)
        {
            run.Pause(me, site);
        }

        var sum = seen + value;
        if (run.Trace is not null)
        {
            run.Note(me, site, $"{seen} -> {sum}");
        }

        Store(me, ref location, sum, isTorn);
        See(me, ref location, sum);
        run.End(me, site);
        return sum;
    }

    internal static void Fence(in Site site)
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return;
        }

        if (me.Run.IsMutated(me, site, MutantKind.NoFence))
        {
            return;
        }

        me.Run.Begin(me, site);
        me.Run.EmptyBuffer(me);
        me.Run.Note(me, site, "");
        me.Run.End(me, site);
    }

    private static T Exchange<T>(ref T location, T value, bool isConditional, T comparand, in Site site)
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            var was = location;
            location = !isConditional || AreSame(was, comparand) ? value : was;
            return was;
        }

        var run = me.Run;
        var isTorn = BeginAtomic(me, ref location, site);
        var seen = Load(me, ref location);
        if (isTorn)
        {
            run.Pause(me, site);
        }

        var isDone = !isConditional || AreSame(seen, comparand);
        if (run.Trace is not null)
        {
            run.Note(me, site, isDone ? $"{Text(seen)} -> {Text(value)}" : $"= {Text(seen)}, not {Text(comparand)}");
        }

        if (isDone)
        {
            Store(me, ref location, value, isTorn);
        }

        See(me, ref location, isDone ? value : seen);
        run.End(me, site);
        return seen;
    }

    private static bool BeginAtomic<T>(LogicalThread me, ref T location, in Site site)
    {
        Touch(me, ref location, site, writes: true);
        me.Run.Begin(me, site);
        if (me.Run.IsMutated(me, site, MutantKind.NotAtomic))
        {
            return true;
        }

        me.Run.EmptyBuffer(me);
        return false;
    }

    private static unsafe void Touch<T>(LogicalThread me, ref T location, in Site site, bool writes)
    {
        if (!me.IsUndisturbed)
        {
            me.Touch((nint)Unsafe.AsPointer(ref location), writes, site);
        }
    }

    private static T Load<T>(LogicalThread me, ref T location) =>
        me.Run.Buffers is { } buffers ? buffers.Load(me, ref location) : location;

    private static void Store<T>(LogicalThread me, ref T location, T value, bool isPlain)
    {
        if (me.Run.Buffers is not { } buffers)
        {
            me.Run.CountWrite(me, me.Touches);
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

    private static unsafe bool TryReadStale<T>(LogicalThread me, ref T location, in Site site, out T? value)
    {
        value = default;
        if (me.Run.LastSeen is not { } seen
            || !me.Run.IsMutated(me, site, MutantKind.StaleRead)
            || !seen.TryGetValue((me, (nint)Unsafe.AsPointer(ref location)), out var last))
        {
            return false;
        }

        value = (T?)last;
        return true;
    }

    private static unsafe void See<T>(LogicalThread me, ref T location, T value)
    {
        if (me.Run.LastSeen is { } seen)
        {
            seen[(me, (nint)Unsafe.AsPointer(ref location))] = value;
        }
    }

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
