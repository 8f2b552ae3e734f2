namespace Orleans.Timers.Scalable.Transactions.Waits;

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
