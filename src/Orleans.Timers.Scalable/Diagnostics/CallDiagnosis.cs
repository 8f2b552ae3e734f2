using System.Diagnostics;

namespace Orleans.Timers.Scalable;

/// <summary>What a bounded call needs to explain its timeout. Only made where there are diagnostics.</summary>
/// <param name="diagnostics">Explains it.</param>
/// <param name="call">The task of the call.</param>
/// <param name="context">The call; null if it is to be found by its task.</param>
/// <param name="isBegunNow">Whether the call begins with its bound and not before.</param>
internal sealed class CallDiagnosis(
    CallDiagnostics diagnostics, Task call, IGrainCallContext? context, bool isBegunNow)
{
    private readonly long _start = TimeProvider.System.GetTimestamp();

    // The timeout comes in a context of its own.
    private readonly Activity? _activity = Activity.Current;
    private IGrainCallContext? _context = context;
    private SentCall? _sent;

    /// <summary>Finds the message. Call it before the call is cancelled, because Orleans forgets it then.</summary>
    internal void Find()
    {
        try
        {
            _context ??= RuntimeShape.CallOf(call);
            _sent = _context is null ? null : diagnostics.GiveUp(_context.Request);
        }
#pragma warning disable CA1031 // Orleans' internals are not as expected. The call must time out all the same.
        catch (Exception)
#pragma warning restore CA1031
        {
            _sent = null;
        }
    }

    internal Task<TimeoutException> Explain(TimeSpan timeout, TimeoutException exception)
    {
        var elapsed = TimeProvider.System.GetElapsedTime(_start);
        var ended = new TimedOutCall(
            TimedOutCall.CallTimeout,
            _context?.Request,
            _context?.TargetId.ToString() ?? CallExplanation.NotKnown,
            _sent,
            elapsed,
            timeout,
            _activity);
        return diagnostics.Explain(isBegunNow ? ended : ended with { Age = null }, exception);
    }
}
