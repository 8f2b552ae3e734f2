using System.Runtime.CompilerServices;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Counts the calls of one service that timed out. Calls that are answered in time do not come here.</summary>
internal sealed class CallTimeoutStatistics
{
    private static readonly ConditionalWeakTable<TimerService, CallTimeoutStatistics> s_all = [];

    private long _timedOut;
    private long _cancelled;
    private long _answeredLate;

    internal static CallTimeoutStatistics Of(TimerService timers) => s_all.GetOrCreateValue(timers);

    internal void OnTimedOut() => Interlocked.Increment(ref _timedOut);

    internal void OnEndedLate(bool wasCancelled) => Interlocked.Increment(ref wasCancelled ? ref _cancelled : ref _answeredLate);

    internal CallTimeoutSnapshot GetSnapshot()
    {
        // What has ended is read first: it has timed out before, so that the difference is never negative.
        var (cancelled, answeredLate) = (Interlocked.Read(ref _cancelled), Interlocked.Read(ref _answeredLate));
        return new CallTimeoutSnapshot
        {
            Cancelled = cancelled,
            AnsweredLate = answeredLate,
            TimedOut = Interlocked.Read(ref _timedOut),
        };
    }
}
