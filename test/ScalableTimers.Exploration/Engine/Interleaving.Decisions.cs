using System.Globalization;

namespace ScalableTimers.Exploration.Engine;

// The decisions about which thread runs next.
internal sealed partial class Interleaving
{
    /// <summary>From now on the next operation of any thread may have another result.</summary>
    internal void WakeAll()
    {
        if (_mayBeRedundant)
        {
            foreach (var thread in _threads)
            {
                thread.IsRedundant = false;
            }
        }
    }

    private void Switch(LogicalThread me)
    {
        SwitchAway(me);
        ThrowIfEnding();
    }

    private void SwitchAway(LogicalThread me)
    {
        if (_isPreparing)
        {
            return;
        }

        var next = Failure is null ? Next(me) : null;
        if (ReferenceEquals(next, me))
        {
            return;
        }

        if (next is null)
        {
            _explorer.Give();
        }
        else
        {
            Give(next);
        }

        me.Worker.Baton.Take();
    }

    private void Give(LogicalThread next)
    {
        _running = next;
        next.Worker.Baton.Give();
    }

    /// <summary>The thread that runs next; null if the interleaving is over.</summary>
    private LogicalThread? Next(LogicalThread? me)
    {
        while (true)
        {
            var isPreemption = me is not null && me.CanRun;
            if (isPreemption && !_strategy.MayPreempt)
            {
                _decisions++;
                return me;
            }

            _options.Clear();
            if (isPreemption)
            {
                _options.Add(me!.Number);
            }

            foreach (var thread in _threads)
            {
                if (!ReferenceEquals(thread, me) && thread.CanRun && !IsLikeOneBefore(thread))
                {
                    _options.Add(thread.Number);
                }
            }

            if (_options.Count == 0)
            {
                if (Buffers?.DrainSomething() == true || (!IsDone() && TryPassTime()))
                {
                    continue;
                }

                if (!IsDone())
                {
                    NoteFailure(DescribeDeadlock());
                }

                return null;
            }

            if (_scenario.TimePasses == TimePasses.AtAnyPoint && NextMoment() != long.MaxValue)
            {
                _options.Add(-1);
            }

            var chosen = ChooseThread(isPreemption);
            if (chosen < 0)
            {
                IsRedundant = true;
                return null;
            }

            if (_options[chosen] >= 0)
            {
                var next = _threads[_options[chosen]];
                FallAsleep(me, next, isPreemption);
                return next;
            }

            TryPassTime();
        }
    }

    // Suppose that a thread was preempted before an operation, and continues before another thread has done anything
    // that this operation could notice or spoil. Then it could as well have been preempted after the operation. That
    // interleaving comes first and has no more preemptions, so this one is left out.
    private void FallAsleep(LogicalThread? me, LogicalThread next, bool isPreemption)
    {
        next.IsRedundant = false;
        if (_mayBeRedundant && isPreemption && !ReferenceEquals(me, next))
        {
            me!.IsRedundant = me.Touches != 0 && (!me.TouchWrites || Buffers?.HasStoresOf(me) != true);
        }
    }

    private bool IsLikeOneBefore(LogicalThread thread)
    {
        if (thread.Kind is null || thread.IsStarted)
        {
            return false;
        }

        for (var i = 0; i < thread.Number; i++)
        {
            if (!_threads[i].IsStarted && _threads[i].Kind == thread.Kind && _threads[i].CanRun)
            {
                return true;
            }
        }

        return false;
    }

    private void WakeThoseBefore(LogicalThread me)
    {
        if (!_mayBeRedundant || me.Touches == 0)
        {
            return;
        }

        foreach (var thread in _threads)
        {
            if (thread.IsRedundant && thread.Touches == me.Touches && (thread.TouchWrites || me.TouchWrites))
            {
                thread.IsRedundant = false;
            }
        }
    }

    // Decisions with only one option are counted too, so that a schedule means the same whatever is left out.
    private int ChooseThread(bool isPreemption)
    {
        var chosen = ChooseSensible(isPreemption);
        if (Trace is not null && _options.Count > 1 && (chosen != 0 || !isPreemption))
        {
            var what = _options[chosen] < 0 ? "time passes" : $"{_threads[_options[chosen]].Name} goes on";
            Trace.Add(
                string.Create(CultureInfo.InvariantCulture, $"---------- decision {_decisions}:{chosen}: {what}"));
        }

        NoteMismatch();
        NoteChoice(chosen);
        return chosen;
    }

    private int ChooseSensible(bool isPreemption)
    {
        if (!_mayBeRedundant)
        {
            return _options.Count == 1 ? 0 : _strategy.ChooseThread(_options, isPreemption, _decisions);
        }

        _sensible.Clear();
        var waiting = -1;
        foreach (var number in _options)
        {
            var thread = number < 0 ? null : _threads[number];
            if (thread is { IsRedundant: true })
            {
                continue;
            }

            if (thread is { WouldOnlyWait: true })
            {
                waiting = number;
            }
            else
            {
                _sensible.Add(number);
            }
        }

        return _sensible.Count switch
        {
            // Then all threads wait, and they will find that out themselves.
            0 when waiting >= 0 => _options.IndexOf(waiting),
            0 => -1,
            1 => _options.IndexOf(_sensible[0]),
            _ => _options.IndexOf(_sensible[_strategy.ChooseThread(_sensible, isPreemption, _decisions)]),
        };
    }

    private void NoteMismatch()
    {
        if (_strategy.Mismatch is { } mismatch)
        {
            NoteFailure(mismatch);
        }
    }

    private void NoteChoice(int chosen)
    {
        if (chosen > 0)
        {
            _choices.Add(_decisions, chosen);
        }

        _decisions++;
    }

    private bool IsDone() => _threads.TrueForAll(static thread => thread.IsFinished || thread.IsDaemon);

    private long NextMoment()
    {
        var moment = Clock.NextDueAt;
        foreach (var thread in _threads)
        {
            if (thread.WaitsFor is not null && !thread.IsFinished && thread.WaitsUntil > Clock.Now)
            {
                moment = Math.Min(moment, thread.WaitsUntil);
            }
        }

        return moment;
    }

    private bool TryPassTime()
    {
        var moment = NextMoment();
        if (moment == long.MaxValue || ++_steps > MaxSteps)
        {
            return false;
        }

        Clock.PassTo(moment);
        Trace?.Add($"---------- the clock shows {Clock.Elapsed.TotalMilliseconds} ms");
        return true;
    }
}
