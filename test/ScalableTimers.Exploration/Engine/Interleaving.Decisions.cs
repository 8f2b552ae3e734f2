namespace ScalableTimers.Exploration.Engine;

// The decisions about which thread runs next.
internal sealed partial class Interleaving
{
    // After this many operations, some thread is presumably stuck.
    private const int MaxSteps = 50_000;

    private readonly List<LogicalThread> _options = [];
    private readonly List<(int Decision, int Chosen)> _choices = [];
    private LogicalThread? _running;
    private int _decisions;
    private int _steps;

    /// <summary>The decisions that did not take the first option: "12:1 40:2".</summary>
    internal string Schedule =>
        string.Join(' ', _choices.Select(static choice => $"{choice.Decision}:{choice.Chosen}"));

    internal void CountStep(LogicalThread me)
    {
        if (++_steps > MaxSteps)
        {
            NoteFailure($"{me.Name} does not get on: more than {MaxSteps} steps, the last at {me.LastSite}.");
        }
    }

    /// <summary>
    /// Called at a point without a decision. It still counts, so that a schedule keeps its meaning when there is a
    /// decision here.
    /// </summary>
    internal void PassDecision() => _decisions++;

    /// <summary>Runs the next thread. Returns when the calling one continues.</summary>
    internal void Switch(LogicalThread me)
    {
        var next = Next(me);
        if (!ReferenceEquals(next, me))
        {
            Give(next);
            me.Baton.Take();
        }
    }

    /// <summary>Chooses what a thread reads.</summary>
    internal int ChooseValue(int options) => Choose(options, isPreemption: false);

    /// <summary>Called when something has changed. Any spinning thread may now find what it waits for.</summary>
    internal void CountWrite(LogicalThread writer)
    {
        foreach (var thread in _threads)
        {
            thread.HasNews |= !ReferenceEquals(thread, writer);
        }
    }

    private void Give(LogicalThread next)
    {
        _running = next;
        next.Baton.Give();
    }

    // The thread that runs next. It is the explorer's if the interleaving is over.
    private LogicalThread Next(LogicalThread me)
    {
        while (Failure is null)
        {
            var isPreemption = !me.IsOutside && me.CanRun;
            if (isPreemption && !_strategy.MayPreempt)
            {
                PassDecision();
                return me;
            }

            FindOptions(isPreemption ? me : null);
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

                break;
            }

            return ChooseThread(isPreemption);
        }

        return _outside;
    }

    // The default comes first: the thread that would continue anyway.
    private void FindOptions(LogicalThread? first)
    {
        _options.Clear();
        if (first is not null)
        {
            _options.Add(first);
        }

        foreach (var thread in _threads)
        {
            if (!ReferenceEquals(thread, first) && thread.CanRun && !IsLikeOneBefore(thread))
            {
                _options.Add(thread);
            }
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

    private LogicalThread ChooseThread(bool isPreemption)
    {
        var decision = _decisions;
        var chosen = Choose(_options.Count, isPreemption);
        var next = _options[chosen];
        if (Trace is not null && _options.Count > 1 && (chosen != 0 || !isPreemption))
        {
            Trace.Add($"---------- decision {decision}:{chosen}: {next.Name} goes on");
        }

        return next;
    }

    // Decisions with only one option count too, so that a schedule keeps its meaning when others are pruned.
    private int Choose(int options, bool isPreemption)
    {
        var chosen = options == 1 ? 0 : _strategy.Choose(options, isPreemption, _decisions);
        if (chosen < 0 || chosen >= options)
        {
            // A garbage collection moves variables, so they look like others. The interleaving is then run again.
            NoteFailure(
                $"The scenario is not deterministic: {options} options at decision {_decisions}, not as before.");
            chosen = 0;
        }

        if (chosen > 0)
        {
            _choices.Add((_decisions, chosen));
        }

        _decisions++;
        return chosen;
    }

    private bool IsDone() => _threads.TrueForAll(static thread => thread.IsFinished || thread.IsDaemon);

    // The time to which the clock advances next. A thread that does not wait counts as waiting until the end of time.
    private long NextMoment() =>
        _threads.Select(static thread => thread.WaitsUntil)
            .Where(until => until > Clock.Now)
            .Append(Clock.NextDueAt)
            .Min();

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

    private string DescribeDeadlock() =>
        "All threads wait: "
        + string.Join("; ", _threads.Where(static thread => !thread.IsFinished).Select(static thread =>
            $"{thread.Name} at {thread.LastSite.Kind} {thread.LastSite.Variable} {thread.LastSite}"));
}
