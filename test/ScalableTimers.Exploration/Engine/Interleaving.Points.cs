using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Engine;

// The points where operations begin, end and wait.
internal sealed partial class Interleaving
{
    /// <summary>Decides which thread runs next. Called by the running thread.</summary>
    internal void Pause(LogicalThread me, in Site site)
    {
        me.LastSite = site;
        if (me.IsUndisturbed)
        {
            return;
        }

        ThrowIfEnding();
        if (++_steps > MaxSteps)
        {
            NoteFailure($"{me.Name} does not get on: more than {MaxSteps} steps, the last at {site}.");
        }

        // A fence empties the buffer of its thread. A decision after the fence is as good as one before it, because
        // other threads may see the stores already.
        if (Shared is not null && site.Kind == OperationKind.Fence && Buffers?.HasStoresOf(me) != true)
        {
            _decisions++;
            return;
        }

        // For the other threads, an operation on a variable that only this thread touches is like plain code. Plain
        // code is atomic between two points.
        if (Shared is not null && site.IsOnVariable && !me.TouchesShared)
        {
            _decisions++;
            return;
        }

        _strategy.IsAtNewPlace = site.IsOnVariable && me.TouchesNew;
        Switch(me);
        _strategy.IsAtNewPlace = false;
    }

    /// <summary>Waits until a condition holds or the clock shows a time.</summary>
    internal void Block(LogicalThread me, Func<bool> condition, in Site site, long until = long.MaxValue)
    {
        if (!TryBlock(me, condition, site, until))
        {
            ThrowIfEnding();
        }
    }

    /// <summary>The same for a thread that can end while it waits.</summary>
    /// <returns>False if the interleaving is over.</returns>
    internal bool TryBlock(LogicalThread me, Func<bool> condition, in Site site, long until = long.MaxValue)
    {
        EmptyBuffer(me);
        // These wait for another thread's operation on a variable or a lock, which the engine can recognise.
        if (site.Kind is not (OperationKind.EnterLock or OperationKind.Spin))
        {
            WakeAll();
        }

        while (!condition() && Clock.Now < until)
        {
            if (me.IsUndisturbed)
            {
                throw new InvalidOperationException($"A preparation or a check would wait at {site} {site.Variable}.");
            }

            Note(me, site, "waits");
            me.WaitsFor = condition;
            me.WaitsUntil = until;
            SwitchAway(me);
            me.WaitsFor = null;
            me.WaitsUntil = long.MaxValue;
            if (_isEnding)
            {
                return false;
            }

            // The store that it waits for may still be in a buffer. When the thread continues, it has seen that store.
            if (Buffers is { } buffers && !condition() && Clock.Now < until)
            {
                buffers.DrainAll();
            }
        }

        return true;
    }

    /// <summary>From now on the stores of a thread are visible to all.</summary>
    internal void EmptyBuffer(LogicalThread me)
    {
        if (!me.IsUndisturbed)
        {
            Shared?.Fence(me.Number);
        }

        Buffers?.DrainAll(me);
    }

    /// <summary>Chooses what a thread reads.</summary>
    internal int ChooseValue(int options)
    {
        var chosen = _strategy.ChooseValue(options, _decisions);
        NoteMismatch();
        NoteChoice(chosen);
        return chosen;
    }

    /// <summary>Called when something has changed. Any spinning thread may now find what it waits for.</summary>
    internal void CountWrite(LogicalThread? writer)
    {
        foreach (var thread in _threads)
        {
            thread.HasNews |= !ReferenceEquals(thread, writer);
        }
    }

    /// <summary>The same for a variable that the engine can distinguish from others.</summary>
    internal void CountWrite(LogicalThread writer, nint address)
    {
        foreach (var thread in _threads)
        {
            thread.HasNews |= !ReferenceEquals(thread, writer) && thread.HasTouchedLately(address);
        }
    }

    /// <summary>Called where an operation begins.</summary>
    internal void Begin(LogicalThread me, in Site site)
    {
        if (me.IsUndisturbed)
        {
            return;
        }

        Sites?.Add(site);

        // The store goes to the buffer. Other threads may not see it after this point, which is the same as if they ran
        // before it.
        if (Shared is not null && site.Kind == OperationKind.Write && Buffers?.BuffersAll == true)
        {
            Pass(me, site);
        }
        else
        {
            Pause(me, site);
        }

        WakeThoseBefore(me);
    }

    /// <summary>
    /// A point without a decision. It is counted all the same, so that a schedule means the same when there is a
    /// decision here.
    /// </summary>
    internal void Pass(LogicalThread me, in Site site)
    {
        me.LastSite = site;
        ThrowIfEnding();
        _decisions++;
    }

    /// <summary>Called where an operation begins that waits for a condition.</summary>
    /// <remarks>
    /// A thread that reaches the operation while the condition does not hold waits at once. Then the others run without
    /// the cost of a preemption, and can do everything that they could do otherwise. A thread that was preempted before
    /// the operation need not continue while the condition does not hold, because it would only wait. The exception is
    /// a thread with stores in its buffer, because waiting empties the buffer.
    /// </remarks>
    internal void BeginWait(LogicalThread me, in Site site, Func<bool> condition)
    {
        if (Shared is null || me.IsUndisturbed || Buffers?.HasStoresOf(me) == true)
        {
            Begin(me, site);
            return;
        }

        if (condition())
        {
            me.WouldWaitFor = condition;
            Begin(me, site);
            me.WouldWaitFor = null;
        }
        else
        {
            Sites?.Add(site);
            Pass(me, site);
            WakeThoseBefore(me);
        }
    }

    /// <summary>
    /// Called where the operation ends, if it has changed nothing and will not have to wait again. A thread that runs
    /// now could have run before it.
    /// </summary>
    internal void EndWait(LogicalThread me, in Site site)
    {
        if (Shared is null)
        {
            End(me, site);
        }
        else
        {
            Pass(me, site);
        }
    }

    /// <summary>Called where it ends.</summary>
    internal void End(LogicalThread me, in Site site)
    {
        if (!me.IsUndisturbed)
        {
            me.Touches = 0;
            Pause(me, site);
            Buffers?.DrainLate(me);
            if (me.AfterOperation is { } after)
            {
                me.AfterOperation = null;
                after();
            }
        }
    }

    internal bool IsMutated(LogicalThread me, in Site site, MutantKind kind)
    {
        if (Mutant is null || Mutant.Kind != kind || me.IsUndisturbed || !Mutant.IsAt(site))
        {
            return false;
        }

        Trace?.Add($"---------- mutant: {kind}");
        return true;
    }

    /// <summary>Called by operations on a thread that does not belong to the interleaving.</summary>
    internal static void CheckOutside()
    {
        if (Active is { } run && run._explorerId != Environment.CurrentManagedThreadId)
        {
            run.NoteFailure(
                "A thread that the engine knows nothing of uses shadowed operations: " + Environment.StackTrace);
        }
    }

    internal void Note(LogicalThread me, in Site site, string result)
    {
        if (!me.IsUndisturbed)
        {
            AddToTrace(me, site, result);
        }
    }

    private void AddToTrace(LogicalThread me, in Site site, string result) =>
        Trace?.Add(
            $"{me.Name,-10} {site.Kind,-16} {site.Variable,-28} {result,-44} {(site.Line > 0 ? site.ToString() : "")}");
}
