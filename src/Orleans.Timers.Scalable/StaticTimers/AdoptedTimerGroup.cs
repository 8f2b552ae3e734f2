namespace Orleans.Timers.Scalable;

/// <summary>The adopted timers of one cancellation token, which share one registration. Guarded by the lock of <see cref="AdoptedTimers"/>.</summary>
internal sealed class AdoptedTimerGroup(AdoptedTimers owner, CancellationToken token) : IThreadPoolWorkItem
{
    internal readonly CancellationToken Token = token;
    internal CancellationTokenRegistration Registration;

    internal AdoptedTimer? First { get; private set; }

    internal void Link(AdoptedTimer timer)
    {
        timer.Group = this;
        timer.Next = First;
        if (First is not null)
        {
            First.Previous = timer;
        }

        First = timer;
    }

    internal void Unlink(AdoptedTimer timer)
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

    /// <summary>Registers with the token, whose cancellation only queues a work item: who cancels may hold locks, and timers may be many.</summary>
    internal void Register() => Registration = Token.UnsafeRegister(
        static group => ThreadPool.UnsafeQueueUserWorkItem((AdoptedTimerGroup)group!, preferLocal: false),
        this);

    void IThreadPoolWorkItem.Execute() => owner.Cancel(this);
}
