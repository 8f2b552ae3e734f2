namespace Orleans.Timers.Scalable.Transactions.Phases;

/// <summary>
/// Knows since when transactions have held the locks of an activation's states. Used on the activation's scheduler
/// only.
/// </summary>
internal sealed class HeldLocks
{
    /// <summary>
    /// At most twenty transactions hold the lock of a state. With more entries than this, some transactions never end
    /// here.
    /// </summary>
    private const int Plenty = 256;

    private readonly Dictionary<(string State, Guid TransactionId), long> _since = [];

    internal static HeldLocks Of(IGrainContext context)
    {
        var locks = context.GetComponent<HeldLocks>();
        if (locks is null)
        {
            context.SetComponent(locks = new HeldLocks());
        }

        return locks;
    }

    internal void Add(string state, Guid transactionId, long now)
    {
        if (_since.Count >= Plenty)
        {
            // The coordinators of such transactions were lost. Only measurements are lost with the entries.
            _since.Clear();
        }

        _since.TryAdd((state, transactionId), now);
    }

    /// <summary>
    /// Records that a transaction was told to prepare, commit or abort, so that it leaves the lock of a state.
    /// </summary>
    internal void End(string state, Guid transactionId, TransactionPhases phases)
    {
        if (_since.Remove((state, transactionId), out var since))
        {
            phases.Measure(TransactionPhase.LockHold, since);
            if (phases.Clock.GetElapsedTime(since) > phases.LockHold)
            {
                phases.Metrics.TimedOut(TransactionPhase.LockHold);
            }
        }
    }
}
