namespace Orleans.Timers.Scalable;

/// <summary>Since when transactions hold locks of an activation's states. Touched on the activation's scheduler only.</summary>
internal sealed class HeldLocks
{
    /// <summary>An activation's locks are held by twenty transactions at most, a state. More than this are those nobody has ended.</summary>
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
            // Their coordinators were lost. What is lost with them is a measurement.
            _since.Clear();
        }

        _since.TryAdd((state, transactionId), now);
    }

    /// <summary>A transaction is told to prepare, commit or abort, so that it leaves the lock of a state.</summary>
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
