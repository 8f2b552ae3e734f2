using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>A timer of Orleans that waits in our service. All fields are guarded by the lock of <see cref="AdoptedTimers"/>.</summary>
internal sealed class AdoptedTimer(AdoptedTimers owner, object timer)
{
    internal readonly AdoptedTimers Owner = owner;

    /// <summary>Orleans' own object, whose wait somebody awaits.</summary>
    internal readonly object Timer = timer;

    /// <summary>Null once the wait has ended or been given back: whoever clears it decides how.</summary>
    internal AdoptedTimerGroup? Group;

    internal ScheduledTimer Scheduled;
    internal AdoptedTimer? Previous;
    internal AdoptedTimer? Next;
}
