using System.Runtime.CompilerServices;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Counts the calls of one service that timed out. Calls that are answered in time do not come here.</summary>
internal sealed class CallTimeoutStatistics
{
    // Guards
    //   _abandoned (written), _timedOut, _cancelled, _answeredLate   _lock
    private static readonly ConditionalWeakTable<TimerService, CallTimeoutStatistics> s_all = [];

    private readonly Lock _lock = new();

    /// <summary>Who has timed out and not ended. A call is counted once, however often it is bounded.</summary>
    private readonly ConditionalWeakTable<Task, CallTimeoutStatistics> _abandoned = [];
    private long _timedOut;
    private long _cancelled;
    private long _answeredLate;

    internal static CallTimeoutStatistics Of(TimerService timers) => s_all.GetOrCreateValue(timers);

    /// <summary>Whether a call has timed out and not ended, so that its end is awaited already.</summary>
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

    /// <summary>Comes after each end of a call that timed out; the first one counts.</summary>
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
