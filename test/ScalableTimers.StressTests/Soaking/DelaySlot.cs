using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>A place for delays, each read once.</summary>
internal sealed class DelaySlot : SoakSlot
{
    private readonly Action _end;
    private ValueTask<bool> _reporting;
    private ValueTask _throwing;
    private CancelSource? _source;
    private bool _throws;
    private bool _isTimely;
    private bool _takesTime;

    public DelaySlot(SoakRun run)
        : base(run, SoakKind.Delay) => _end = End;

    /// <summary>
    /// Starts a delay, which is read as soon as it has ended. If it is left unread, it is read when <see cref="Read"/>
    /// is called.
    /// </summary>
    internal void Start(SoakSubject subject, TimeSpan dueTime, CancelSource? source, bool throws, bool isRead)
    {
        (_source, _throws, _isTimely, _takesTime) = (source, throws, isRead, dueTime > TimeSpan.FromTicks(1));
        Begin(subject, dueTime, isHeld: false);
        if (throws)
        {
            _throwing = Service.Delay(dueTime, source?.Token ?? default);
        }
        else
        {
            _reporting = Service.TryDelay(dueTime, source?.Token ?? default);
        }

        if (isRead)
        {
            Read();
        }
    }

    internal void Read()
    {
        if (_throws ? _throwing.IsCompleted : _reporting.IsCompleted)
        {
            End();
        }
        else if (_throws)
        {
            _throwing.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_end);
        }
        else
        {
            _reporting.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(_end);
        }
    }

    private void End()
    {
        var now = Stopwatch.GetTimestamp();
        if (HasElapsed())
        {
            // The delay was cancelled before it was due, so only the cancellation can have ended it.
            if (_source is not null && _takesTime && _source.EndedAt < DueAt)
            {
                Report(
                    SoakFault.CancelledYetFired,
                    $"elapsed, cancelled {StressTime.ToMilliseconds(DueAt - _source.EndedAt):F4} ms before it was due");
            }

            _ = EndByFiring(_isTimely);
        }
        else
        {
            if (_source is null || _source.BegunAt > now)
            {
                Report(SoakFault.Other, "cancelled, and nobody had asked for it");
            }

            EndByCancelling();
        }

        (_source, _reporting, _throwing) = (null, default, default);
        Release();
    }

    private bool HasElapsed()
    {
        if (!_throws)
        {
            return _reporting.GetAwaiter().GetResult();
        }

        try
        {
            _throwing.GetAwaiter().GetResult();
            return true;
        }
        catch (OperationCanceledException cancelled)
        {
            if (cancelled.CancellationToken != _source?.Token)
            {
                Report(SoakFault.Other, "cancelled with the token of somebody else");
            }

            return false;
        }
    }
}
