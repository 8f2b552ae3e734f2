namespace ScalableTimers.Exploration.Engine;

// The decisions about which thread runs next.
internal sealed partial class Interleaving
{
    // After so many operations some thread seems to make no progress.
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
    /// Called at a point without a decision. It is counted all the same, so that a schedule means the same when there
    /// is a decision here.
    /// </summary>
    internal void PassDecision() => _decisions++;

    /// <summary>Runs the next thread. Returns when the running one goes on.</summary>
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

    // The thread that would continue by itself comes first.
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

    // Decisions with only one option are counted too, so that a schedule means the same whatever is left out.
    private int Choose(int options, bool isPreemption)
    {
        var chosen = options == 1 ? 0 : _strategy.Choose(options, isPreemption, _decisions);
        if (chosen < 0 || chosen >= options)
        {
            // A garbage collection moves variables, so that they look like others. Then this interleaving is run again.
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

    // What the clock will show next, if it advances by itself. A thread that does not wait does so until the end of
    // time.
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
