using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>A static timer of Orleans that waits in the plugin's timer service.</summary>
/// <remarks>The lock of <see cref="ServedTimers"/> guards all fields.</remarks>
internal sealed class ServedTimer(ServedTimers owner, object timer)
{
    internal readonly ServedTimers Owner = owner;

    /// <summary>Orleans' own object; ending it completes the task that Orleans' code awaits.</summary>
    internal readonly object Timer = timer;

    /// <summary>
    /// Null once the wait has ended or the timer has been given back. The thread that clears it ends the wait.
    /// </summary>
    internal ServedTimerGroup? Group;

    internal ScheduledTimer Scheduled;

    /// <summary>The visit to a list in which the timer was found.</summary>
    internal long Visit;
}
