using System.Runtime.CompilerServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Stores of threads that other threads do not see yet.</summary>
/// <remarks>
/// A store goes to memory at once, so that plain reads of its own thread see it. The value that other threads see is
/// kept here by address until the store leaves its thread's buffer. They read it through <see cref="Load"/>. Addresses
/// hold until the next garbage collection, which makes the interleaving void. Plain reads of other threads see a store
/// too early. The core makes none without a lock.
/// <para>
/// When a thread reads a variable that another thread has buffered, a decision is made whether the store has become
/// visible. The difference shows nowhere else, so no other decisions are needed. A thread's interlocked operations,
/// fences and waits empty its buffer.
/// </para>
/// </remarks>
internal sealed class StoreBuffers(Interleaving run, MemoryModel model)
{
    private readonly Dictionary<nint, Variable> _variables = [];
    private readonly List<BufferedStore> _stores = [];
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
        if (_variables.Count == 0 || !_variables.TryGetValue(address, out var variable))
        {
            return location;
        }

        if (_isAskedForAll
            && _stores.FindLast(store => store.Address == address && store.Fate == Fate.Buffered) is { } last)
        {
            return (T)last.Value!;
        }

        if (_stores.FindLast(store => store.Thread == me && store.Address == address) is { } own)
        {
            return (T)own.Value!;
        }

        if (!me.IsUndisturbed
            && _stores.Exists(store => store.Address == address && store.Fate == Fate.Buffered)
            && run.ChooseValue(2) == 0)
        {
            DrainUpTo(address);
        }

        var value = (T)variable.Visible!;
        if (variable.Pending == 0)
        {
            location = value;
            _variables.Remove(address);
        }

        return value;
    }

    internal void Store<T>(LogicalThread me, ref T location, T value)
    {
        if (BuffersAll && !me.IsUndisturbed)
        {
            // A spinning thread may look again. Either it sees the store, or it continues to spin.
            run.CountWrite(me, Address(ref location));
            Add(me, ref location, value, Fate.Buffered);
        }
        else
        {
            StoreThrough(me, ref location, value);
        }
    }

    /// <summary>For a mutant: others see it only after the thread's next operation.</summary>
    internal void StoreLate<T>(LogicalThread me, ref T location, T value) => Add(me, ref location, value, Fate.Late);

    /// <summary>For a mutant: others never see it.</summary>
    internal void Lose<T>(LogicalThread me, ref T location, T value) => Add(me, ref location, value, Fate.Lost);

    /// <summary>A store that others see at once.</summary>
    internal void StoreThrough<T>(LogicalThread me, ref T location, T value)
    {
        run.CountWrite(me);
        var address = Address(ref location);
        if (_variables.TryGetValue(address, out var variable))
        {
            _stores.RemoveAll(store => store.Thread == me && store.Address == address && Left(variable));
            variable.Visible = value;
            if (variable.Pending > 0)
            {
                return;
            }

            _variables.Remove(address);
        }

        location = value;

        static bool Left(Variable variable)
        {
            variable.Pending--;
            return true;
        }
    }

    internal bool HasStoresOf(LogicalThread thread) =>
        _stores.Count > 0 && _stores.Exists(store => store.Thread == thread);

    internal void DrainAll(LogicalThread me)
    {
        if (_stores.Count > 0)
        {
            DrainBuffered(me);
        }
    }

    /// <summary>What has been stored there is visible to all from now on, and what its threads stored before.</summary>
    internal void Drain<T>(ref T location)
    {
        if (_stores.Count > 0)
        {
            DrainUpTo(Address(ref location));
        }
    }

    internal void DrainAll() => Drain(static store => store.Fate == Fate.Buffered);

    /// <summary>Called when an operation ends. Releases the stores before it.</summary>
    internal void DrainLate(LogicalThread me)
    {
        if (_stores.Count > 0)
        {
            Drain(store => store.Thread == me && store.Fate == Fate.Late && ++store.Age > 1);
        }
    }

    /// <summary>Called when nothing else can happen.</summary>
    internal bool DrainSomething()
    {
        var count = _stores.Count;
        Drain(static store => store.Fate != Fate.Lost);
        return _stores.Count != count;
    }

    private static unsafe nint Address<T>(ref T location) => (nint)Unsafe.AsPointer(ref location);

    private void Add<T>(LogicalThread me, ref T location, T value, Fate fate)
    {
        var address = Address(ref location);
        if (!_variables.TryGetValue(address, out var variable))
        {
            _variables.Add(address, variable = new Variable { Visible = location });
        }

        variable.Pending++;
        location = value;
        _stores.Add(new BufferedStore(me, address, value, fate));
    }

    // Each thread's buffer is a queue. The stores before the store to that address leave together with it.
    private void DrainUpTo(nint address)
    {
        for (var i = _stores.Count - 1; i >= 0; i--)
        {
            if (i < _stores.Count && _stores[i] is { Fate: Fate.Buffered } last && last.Address == address)
            {
                var isBefore = true;
                Drain(store =>
                {
                    var leaves = isBefore && store.Thread == last.Thread && store.Fate == Fate.Buffered;
                    isBefore &= store != last;
                    return leaves;
                });
            }
        }
    }

    private void DrainBuffered(LogicalThread me) => Drain(store => store.Thread == me && store.Fate == Fate.Buffered);

    private void Drain(Func<BufferedStore, bool> leaves)
    {
        for (var i = 0; i < _stores.Count; i++)
        {
            var store = _stores[i];
            if (leaves(store))
            {
                _stores.RemoveAt(i--);
                var variable = _variables[store.Address];
                variable.Visible = store.Value;
                variable.Pending--;
                run.CountWrite(store.Thread);
                run.WakeAll();
            }
        }
    }

    private sealed class Variable
    {
        internal object? Visible { get; set; }

        internal int Pending { get; set; }
    }

    private sealed class BufferedStore(LogicalThread thread, nint address, object? value, Fate fate)
    {
        internal LogicalThread Thread { get; } = thread;

        internal nint Address { get; } = address;

        internal object? Value { get; } = value;

        internal Fate Fate { get; } = fate;

        internal int Age { get; set; }
    }
}
