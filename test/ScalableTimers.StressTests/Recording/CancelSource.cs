using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// A token, or the stop of a service. It may end delays before they are due, and records when. Several threads may
/// cancel.
/// </summary>
internal sealed class CancelSource
{
    private readonly Action _cancel;
    private long _begunAt = long.MaxValue;
    private long _endedAt = long.MaxValue;

    /// <summary>Creates a source with its own token.</summary>
    public CancelSource()
    {
        var source = new CancellationTokenSource();
        Token = source.Token;
        _cancel = source.Cancel;
    }

    /// <summary>Creates a source from an action that cancels as a token would.</summary>
    public CancelSource(Action cancel) => _cancel = cancel;

    internal CancellationToken Token { get; }

    /// <summary>When the first thread was about to cancel.</summary>
    internal long BegunAt => Volatile.Read(ref _begunAt);

    /// <summary>When cancelling first returned.</summary>
    internal long EndedAt => Volatile.Read(ref _endedAt);

    internal void Cancel()
    {
        Interlocked.CompareExchange(ref _begunAt, Stopwatch.GetTimestamp(), long.MaxValue);
        _cancel();
        Interlocked.CompareExchange(ref _endedAt, Stopwatch.GetTimestamp(), long.MaxValue);
    }
}
