using System.Runtime.CompilerServices;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Counts the calls of one service that timed out. Calls that are answered in time are not counted.</summary>
internal sealed class CallTimeoutStatistics
{
    // Guards
    //   _abandoned (written), _timedOut, _cancelled, _answeredLate   _lock
    private static readonly ConditionalWeakTable<TimerService, CallTimeoutStatistics> s_all = [];

    private readonly Lock _lock = new();

    /// <summary>
    /// The calls that timed out and have not ended. A call is counted once, however often it is bounded.
    /// </summary>
    private readonly ConditionalWeakTable<Task, CallTimeoutStatistics> _abandoned = [];
    private long _timedOut;
    private long _cancelled;
    private long _answeredLate;

    /// <summary>The value of the tag <c>silo</c>. Set before the figures are published.</summary>
    internal string? Silo { get; set; }

    internal static CallTimeoutStatistics Of(TimerService timers) => s_all.GetOrCreateValue(timers);

    /// <summary>Whether a call has timed out and not ended. If so, its end is awaited already.</summary>
    internal bool IsAbandoned(Task call) => _abandoned.TryGetValue(call, out _);

    internal void OnTimedOut(Task call)
    {
        lock (_lock)
        {
            if (_abandoned.TryAdd(call, this))
            {
                _timedOut++;
            }
        }
    }

    /// <summary>
    /// Called for each bound of a call that timed out, when the call ends. Only the first call counts.
    /// </summary>
    internal void OnEndedLate(Task call, bool wasCancelled)
    {
        lock (_lock)
        {
            if (_abandoned.Remove(call))
            {
                (wasCancelled ? ref _cancelled : ref _answeredLate)++;
            }
        }
    }

    internal CallTimeoutSnapshot GetSnapshot()
    {
        lock (_lock)
        {
            return new CallTimeoutSnapshot
            {
                Cancelled = _cancelled,
                AnsweredLate = _answeredLate,
                TimedOut = _timedOut,
            };
        }
    }
}
