using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>A scheduled callback. One thread schedules and reschedules it. Any thread may cancel it.</summary>
internal sealed class TrackedTimer(Ledger ledger) : Tracked
{
    private static readonly TimerCallback s_fire = static timer => ((TrackedTimer)timer!).Fire();

    // Written before the timer is published to other threads.
    private ScheduledTimer _handle;

    internal override string Kind => "callback";

    /// <summary>Runs at the end of the callback, or null.</summary>
    internal Action? Then { get; init; }

    internal void Schedule(TimerService service, TimeSpan dueTime)
    {
        AskFor(StressTime.In(dueTime));
        _handle = service.Schedule(s_fire, this, dueTime);
    }

    internal bool Cancel()
    {
        if (!_handle.Cancel())
        {
            return false;
        }

        _ = RecordCancelled();
        ledger.CountEnd();
        return true;
    }

    internal bool Reschedule(TimeSpan dueTime)
    {
        var notBefore = StressTime.In(dueTime);
        if (!_handle.Reschedule(dueTime))
        {
            return false;
        }

        // Too late for a callback that has already fired, so nothing is checked until all threads have ended.
        AskFor(notBefore);
        return true;
    }

    private void Fire()
    {
        _ = RecordFired(Stopwatch.GetTimestamp());
        ledger.CountEnd();
        Then?.Invoke();
    }
}
