using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// One use of a pooled delay: what its own awaiter saw, and any completion that was not meant for it.
/// </summary>
internal sealed class TrackedDelay(Ledger ledger, params CancelSource[] sources) : Tracked
{
    private ValueTask<bool> _reporting;
    private ValueTask _throwing;
    private bool _throws;
    private long _startedAt;
    private long _endedAt;
    private string? _surprise;

    internal override string Kind => "delay";

    /// <summary>Starts a delay that reports its cancellation.</summary>
    internal void StartTry(TimerService service, TimeSpan dueTime, CancellationToken token)
    {
        Begin(dueTime);
        _reporting = service.TryDelay(dueTime, token);
        _reporting.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(End);
    }

    /// <summary>Starts a delay that throws when it is cancelled.</summary>
    internal void StartThrowing(TimerService service, TimeSpan dueTime, CancellationToken token)
    {
        _throws = true;
        Begin(dueTime);
        _throwing = service.Delay(dueTime, token);
        _throwing.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(End);
    }

    internal override string? Fault(bool mayBeOpen) => _surprise ?? base.Fault(mayBeOpen) ?? FaultOfCancelling();

    private void Begin(TimeSpan dueTime)
    {
        _startedAt = Stopwatch.GetTimestamp();
        AskFor(StressTime.In(dueTime));
    }

    private void End()
    {
        var now = Stopwatch.GetTimestamp();
        var (elapsed, cause) = Read();
        var isFirst = elapsed ? RecordFired(now) : RecordCancelled();
        if (isFirst)
        {
            _endedAt = now;
        }

        if (!elapsed && _throws && !sources.Any(source => source.Token == cause && source.BegunAt <= now))
        {
            _surprise = "cancelled with another token";
        }

        ledger.CountEnd();
    }

    private (bool Elapsed, CancellationToken Cause) Read()
    {
        try
        {
            if (!_throws)
            {
                return (_reporting.GetAwaiter().GetResult(), default);
            }

            _throwing.GetAwaiter().GetResult();
            return (true, default);
        }
        catch (OperationCanceledException cancelled)
        {
            return (false, cancelled.CancellationToken);
        }
        catch (Exception other)
        {
            _surprise = $"reading it threw {other}";
            return (false, default);
        }
    }

    private string? FaultOfCancelling()
    {
        if (IsCancelled)
        {
            return sources.Any(source => source.BegunAt <= _endedAt) ? null : "cancelled, and nobody had asked for it";
        }

        // A delay is never early, so one that was cancelled before it was due can only have ended by the cancellation.
        // A due time of zero passes at once.
        var cancelledAt = sources.Length == 0 ? long.MaxValue : sources.Min(static source => source.EndedAt);
        return HasFired && cancelledAt < NotBefore && NotBefore > _startedAt + StressTime.Units(TimeSpan.FromTicks(1))
            ? $"elapsed, but was cancelled {StressTime.ToMilliseconds(NotBefore - cancelledAt):F4} ms before it was due"
            : null;
    }
}
