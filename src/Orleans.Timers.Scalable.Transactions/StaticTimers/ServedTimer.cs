using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.StaticTimers;

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
    internal ServedTimer? Previous;
    internal ServedTimer? Next;
}

/// <summary>The served timers of one cancellation token. They share one registration with the token.</summary>
/// <remarks>The lock of <see cref="ServedTimers"/> guards all fields.</remarks>
internal sealed class ServedTimerGroup(ServedTimers owner, CancellationToken token) : IThreadPoolWorkItem
{
    internal readonly CancellationToken Token = token;
    internal CancellationTokenRegistration Registration;

    internal ServedTimer? First { get; private set; }

    internal void Link(ServedTimer timer)
    {
        timer.Group = this;
        timer.Next = First;
        if (First is not null)
        {
            First.Previous = timer;
        }

        First = timer;
    }

    internal void Unlink(ServedTimer timer)
    {
        if (timer.Previous is null)
        {
            First = timer.Next;
        }
        else
        {
            timer.Previous.Next = timer.Next;
        }

        if (timer.Next is not null)
        {
            timer.Next.Previous = timer.Previous;
        }

        timer.Group = null;
        timer.Previous = null;
        timer.Next = null;
    }

    /// <summary>Registers with the token.</summary>
    /// <remarks>
    /// Cancelling the token only queues a work item: the canceller may hold locks, and the group may have many timers.
    /// </remarks>
    internal void Register() => Registration = Token.UnsafeRegister(
        static group => ThreadPool.UnsafeQueueUserWorkItem((ServedTimerGroup)group!, preferLocal: false),
        this);

    void IThreadPoolWorkItem.Execute() => owner.Cancel(this);
}
