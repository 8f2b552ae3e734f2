using ScalableTimers.Clock;
using ScalableTimers.Queues;

namespace ScalableTimers.Timeouts;

/// <summary>Rents timeouts and keeps those that can be rented again, on a stack for each processor.</summary>
internal sealed class TimeoutLeases(QueueRegistry queues)
{
    private readonly LeaseStack[] _stacks =
    [
        .. Enumerable.Range(0, Environment.ProcessorCount).Select(static _ => new LeaseStack())
    ];

    /// <summary>The queues of the service whose timers cancel the tokens.</summary>
    internal QueueRegistry Queues { get; } = queues;

    internal TimeoutLease Rent(TimeSpan timeout, CancellationToken cancellationToken)
    {
        timeout = DueTime.Normalize(timeout);
        if (cancellationToken.IsCancellationRequested)
        {
            return new TimeoutLease(cancellationToken);
        }

        if (timeout == TimeSpan.Zero)
        {
            return new TimeoutLease(new CancellationToken(canceled: true), hasTimedOut: true);
        }

        // With an infinite timeout, only the caller's token can end the lease.
        return timeout == Timeout.InfiniteTimeSpan
            ? new TimeoutLease(cancellationToken)
            : (Find() ?? new LeasedTimeout(this)).Rent(timeout, cancellationToken);
    }

    internal bool TryKeep(LeasedTimeout leased) => _stacks[Index()].TryPush(leased);

    private LeasedTimeout? Find()
    {
        // Usually the first stack has one. A lease may be rented on one processor and returned on another, so the other
        // stacks are searched too.
        var first = Index();
        for (var i = 0; i < _stacks.Length; i++)
        {
            if (_stacks[(first + i) % _stacks.Length].TryPop() is { } leased)
            {
                return leased;
            }
        }

        return null;
    }

    private int Index() => Thread.GetCurrentProcessorId() % _stacks.Length;
}
