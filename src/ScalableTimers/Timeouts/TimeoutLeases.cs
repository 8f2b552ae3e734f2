using Microsoft.Extensions.Logging;
using ScalableTimers.Clock;

namespace ScalableTimers.Timeouts;

/// <summary>Rents timeouts and keeps those that can be rented again, on a stack for each processor.</summary>
internal sealed partial class TimeoutLeases
{
    private readonly TimerService _service;
    private readonly ILogger _logger;
    private readonly LeaseStack[] _stacks =
    [
        .. Enumerable.Range(0, Environment.ProcessorCount).Select(static _ => new LeaseStack())
    ];
    private long _failedRegistrations;

    internal TimeoutLeases(TimerService service, ILogger logger)
    {
        _service = service;
        _logger = logger;
    }

    /// <summary>How many registrations have thrown when a timeout cancelled their token.</summary>
    internal long FailedRegistrations => Interlocked.Read(ref _failedRegistrations);

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
            : (Find() ?? new LeasedTimeout(this, _service)).Rent(timeout, cancellationToken);
    }

    internal bool TryKeep(LeasedTimeout leased) => _stacks[Index()].TryPush(leased);

    /// <summary>
    /// Releases the timeouts that nobody has rented, at the end of the service. Otherwise the clock would drive their
    /// timers, and they would keep the service alive.
    /// </summary>
    internal void End()
    {
        foreach (var stack in _stacks)
        {
            for (var leased = stack.Close(); leased is not null; leased = leased.Next)
            {
                leased.EndTimer();
            }
        }
    }

    internal void Report(Exception exception)
    {
        Interlocked.Add(ref _failedRegistrations, exception is AggregateException all ? all.InnerExceptions.Count : 1);
        LogRegistrationFailed(_logger, exception);
    }

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

    [LoggerMessage(
        41, LogLevel.Error, "A callback that was registered with the token of a timeout threw an exception.")]
    private static partial void LogRegistrationFailed(ILogger logger, Exception exception);
}
