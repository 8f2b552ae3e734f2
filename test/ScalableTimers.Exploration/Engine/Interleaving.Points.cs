using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Engine;

// Where operations begin and end, and wait.
internal sealed partial class Interleaving
{
    /// <summary>A decision which thread goes on. Called by the running thread.</summary>
    internal void Pause(LogicalThread me, in Site site)
    {
        me.LastSite = site;
        if (me.IsUndisturbed)
        {
            return;
        }

        ThrowIfEnding();
        if (++_steps > _scenario.MaxSteps)
        {
            NoteFailure($"{me.Name} does not get on: more than {_scenario.MaxSteps} steps, the last at {site}.");
        }

        // A fence lets go of what its thread has buffered. Afterwards is as good as before, where others may see that
        // already.
        if (Shared is not null && site.Kind == OperationKind.Fence && Buffers?.HasStoresOf(me) != true)
        {
            _decisions++;
            return;
        }

        // To the others, what only this thread touches is like plain code, and that is atomic between two points.
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

    /// <summary>The same, for a thread that can end where it waits.</summary>
    /// <returns>False if the interleaving is over.</returns>
    internal bool TryBlock(LogicalThread me, Func<bool> condition, in Site site, long until = long.MaxValue)
    {
        EmptyBuffer(me);
        // These wait for what others do to a variable or a lock, which is an operation that the engine can tell.
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

            // What it waits for may lie in buffers still. As it goes on, it has seen that.
            if (Buffers is { } buffers && !condition() && Clock.Now < until)
            {
                buffers.DrainAll();
            }
        }

        return true;
    }

    /// <summary>What a thread has stored is visible to all from now on.</summary>
    internal void EmptyBuffer(LogicalThread me)
    {
        if (!me.IsUndisturbed)
        {
            Shared?.Fence(me.Number);
        }

        Buffers?.DrainAll(me);
    }

    /// <summary>Chooses what a thread finds.</summary>
    internal int ChooseValue(int options)
    {
        var chosen = _strategy.ChooseValue(options, _decisions);
        NoteMismatch();
        NoteChoice(chosen);
        return chosen;
    }

    /// <summary>Called when something has changed: any thread that spins may find what it waits for.</summary>
    internal void CountWrite(LogicalThread? writer)
    {
        foreach (var thread in _threads)
        {
            thread.HasNews |= !ReferenceEquals(thread, writer);
        }
    }

    /// <summary>The same, if it is a variable that the engine can tell from others.</summary>
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

        // A store that goes to the buffer: others may miss it after it, which is the same as coming before it.
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
    /// A point without a decision. It is counted all the same, so that a schedule means the same where there is one.
    /// </summary>
    internal void Pass(LogicalThread me, in Site site)
    {
        me.LastSite = site;
        ThrowIfEnding();
        _decisions++;
    }

    /// <summary>Called where an operation begins that waits for a condition.</summary>
    /// <remarks>
    /// A thread that comes to it while the condition does not hold waits at once: then others run at no preemption's
    /// cost, and all that they could do otherwise. And one that was preempted before it need not go on while the
    /// condition does not hold, as it would wait with nothing done. Unless it has stores in its buffer, which it lets
    /// go of when it waits.
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
    /// Called where it ends, if it has changed nothing and will not have to wait again: who is to run now could have
    /// run before it.
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

    /// <summary>Called by operations on a thread that is none of the interleaving's.</summary>
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
