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

/// <summary>The served timers of one cancellation token. They share one registration with the token.</summary>
/// <remarks>The lock of <see cref="ServedTimers"/> guards all fields.</remarks>
internal sealed class ServedTimerGroup(ServedTimers owner, CancellationToken token) : IThreadPoolWorkItem
{
    internal readonly CancellationToken Token = token;

    /// <summary>Whether of these timers only the one that was set last can do anything.</summary>
    internal readonly bool IsOfOneWorker = WorkerToken.Is(token);
    internal readonly HashSet<ServedTimer> Timers = [];
    internal CancellationTokenRegistration Registration;

    /// <summary>Registers with the token.</summary>
    /// <remarks>
    /// Cancelling the token only queues a work item: the canceller may hold locks, and the group may have many timers.
    /// </remarks>
    internal void Register() => Registration = Token.UnsafeRegister(
        static group => ThreadPool.UnsafeQueueUserWorkItem((ServedTimerGroup)group!, preferLocal: false),
        this);

    void IThreadPoolWorkItem.Execute() => owner.Cancel(this);
}
