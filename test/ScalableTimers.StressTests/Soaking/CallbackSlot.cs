namespace ScalableTimers.StressTests.Soaking;

/// <summary>A place for scheduled callbacks.</summary>
internal sealed class CallbackSlot(SoakRun run) : SoakSlot(run, SoakKind.Callback)
{
    private static readonly TimerCallback s_fire = static slot => ((CallbackSlot)slot!).Fire();

    private ScheduledTimer _timer;
    private SoakAct _act;
    private int _again;

    /// <summary>Schedules a callback that is left to fire.</summary>
    internal void Schedule(SoakSubject subject, TimeSpan dueTime, SoakAct act)
    {
        _act = act;
        _again = 3;
        Begin(subject, dueTime, isHeld: false);
        _ = Service.Schedule(s_fire, this, dueTime);
    }

    /// <summary>
    /// Schedules a callback whose handle one thread at a time holds, until that thread cancels or releases it.
    /// </summary>
    internal void ScheduleHeld(SoakSubject subject, TimeSpan dueTime)
    {
        _act = SoakAct.Nothing;
        Begin(subject, dueTime, isHeld: true);
        _timer = Service.Schedule(s_fire, this, dueTime);
    }

    internal void Cancel(bool twice)
    {
        var timer = _timer;
        if (timer.Cancel())
        {
            EndByCancelling();
            Release();
        }

        // The entry may be used by another timer by now.
        if (twice && timer.Cancel())
        {
            Report(SoakFault.Other, "was cancelled twice");
        }

        LetGo();
    }

    internal void Reschedule(TimeSpan dueTime) => ChangeDueTime(dueTime, _timer.Reschedule);

    internal void LetGo()
    {
        // A place that is not used for a while must not keep an entry of the service alive.
        _timer = default;
        Release();
    }

    private void Fire()
    {
        if (!EndByFiring())
        {
            return;
        }

        switch (_act)
        {
            case SoakAct.ScheduleAgain when _again-- > 0:
                var dueTime = Subject.Resolution * _again;
                Rebegin(dueTime);
                _ = Service.Schedule(s_fire, this, dueTime);
                return;
            case SoakAct.CancelPeers:
                Run.CancelPeers(4);
                break;
            case SoakAct.Block:
                Thread.Sleep(10);
                break;
            case SoakAct.Throw:
                Subject.CountThrown();
                Release();
                throw new InvalidOperationException("Thrown on purpose.");
        }

        Release();
    }
}
