using System.Runtime.CompilerServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Stores that other threads do not see yet.</summary>
/// <remarks>
/// A store goes to memory at once, so that plain reads of its own thread see it. The value that other threads see is
/// kept here by address until the store leaves its thread's buffer; they read it through <see cref="Load"/>. Addresses
/// hold until the next garbage collection, which makes the interleaving void. Plain reads of other threads see a store
/// too early, but the core makes none without a lock.
/// <para>
/// When a thread reads a variable that another thread has buffered, a decision determines whether it sees the store.
/// The difference shows nowhere else, so no other decisions are needed. A thread's interlocked operations, fences and
/// waits empty its buffer.
/// </para>
/// </remarks>
internal sealed class StoreBuffers(Interleaving run, MemoryModel model)
{
    // What other threads see of variables that have been written.
    private readonly Dictionary<nint, object?> _visible = [];
    private readonly List<BufferedStore> _stores = [];
    private int _stored;
    private bool _isAskedForAll;

    private enum Fate
    {
        Buffered,
        Late,
        Lost,
    }

    /// <summary>Whether all stores are buffered, not only those of a mutant.</summary>
    internal bool BuffersAll => model == MemoryModel.StoreBuffers;

    /// <summary>
    /// Whether a thread's condition would hold if the buffers were empty. If so, that thread may continue, and has seen
    /// the stores.
    /// </summary>
    internal bool WouldHold(Func<bool> condition)
    {
        if (_stores.Count == 0)
        {
            return false;
        }

        _isAskedForAll = true;
        try
        {
            return condition();
        }
        finally
        {
            _isAskedForAll = false;
        }
    }

    internal T Load<T>(LogicalThread me, ref T location)
    {
        var address = Address(ref location);
        if (!_visible.TryGetValue(address, out var visible))
        {
            return location;
        }

        var buffered = _stores.FindLast(store => store.Address == address && store.Fate == Fate.Buffered);
        if (_isAskedForAll && buffered is not null)
        {
            return (T)buffered.Value!;
        }

        if (_stores.FindLast(store => store.Thread == me && store.Address == address) is { } own)
        {
            return (T)own.Value!;
        }

        if (!me.IsUndisturbed && buffered is not null && run.ChooseValue(2) == 0)
        {
            DrainUpTo(address);
            visible = _visible[address];
        }

        if (!_stores.Exists(store => store.Address == address))
        {
            location = (T)visible!;
            _visible.Remove(address);
        }

        return (T)visible!;
    }

    internal void Store<T>(LogicalThread me, ref T location, T value)
    {
        if (BuffersAll && !me.IsUndisturbed)
        {
            // A spinning thread may look again. Either it sees the store, or it continues to spin.
            run.CountWrite(me);
            Add(me, ref location, value, Fate.Buffered);
        }
        else
        {
            StoreThrough(me, ref location, value);
        }
    }

    /// <summary>For a mutant: others see it only after the thread's next operation.</summary>
    internal void StoreLate<T>(LogicalThread me, ref T location, T value)
    {
        var late = Add(me, ref location, value, Fate.Late);
        me.After(operations: 2, () => Drain(store => store == late));
    }

    /// <summary>For a mutant: others never see it.</summary>
    internal void Lose<T>(LogicalThread me, ref T location, T value) => Add(me, ref location, value, Fate.Lost);

    /// <summary>A store that others see at once.</summary>
    internal void StoreThrough<T>(LogicalThread me, ref T location, T value)
    {
        run.CountWrite(me);
        var address = Address(ref location);
        _stores.RemoveAll(store => store.Thread == me && store.Address == address);
        if (_stores.Exists(store => store.Address == address))
        {
            _visible[address] = value;
            return;
        }

        _visible.Remove(address);
        location = value;
    }

    internal void DrainAll(LogicalThread me) =>
        Drain(store => store.Thread == me && store.Fate == Fate.Buffered);

    internal void DrainAll() => Drain(static store => store.Fate == Fate.Buffered);

    /// <summary>Makes stores to the location, and earlier ones of their threads, visible to all.</summary>
    internal void Drain<T>(ref T location) => DrainUpTo(Address(ref location));

    /// <summary>Called when nothing else can happen.</summary>
    internal bool DrainSomething()
    {
        var count = _stores.Count;
        Drain(static store => store.Fate != Fate.Lost);
        return _stores.Count != count;
    }

    private static unsafe nint Address<T>(ref T location) => (nint)Unsafe.AsPointer(ref location);

    private BufferedStore Add<T>(LogicalThread me, ref T location, T value, Fate fate)
    {
        var address = Address(ref location);
        var store = new BufferedStore(++_stored, me, address, value, fate);
        _visible.TryAdd(address, location);
        _stores.Add(store);
        location = value;
        return store;
    }

    // Each thread's buffer is a queue. Stores before the one to that address leave with it.
    private void DrainUpTo(nint address)
    {
        while (_stores.FindLast(store => store.Address == address && store.Fate == Fate.Buffered) is { } last)
        {
            Drain(
                store =>
                    store.Thread == last.Thread && store.Fate == Fate.Buffered && store.Number <= last.Number);
        }
    }

    private void Drain(Predicate<BufferedStore> leaves)
    {
        while (_stores.Find(leaves) is { } store)
        {
            _stores.Remove(store);
            _visible[store.Address] = store.Value;
            run.CountWrite(store.Thread);
        }
    }

    private sealed class BufferedStore(int number, LogicalThread thread, nint address, object? value, Fate fate)
    {
        internal int Number { get; } = number;

        internal LogicalThread Thread { get; } = thread;

        internal nint Address { get; } = address;

        internal object? Value { get; } = value;

        internal Fate Fate { get; } = fate;
    }
}
