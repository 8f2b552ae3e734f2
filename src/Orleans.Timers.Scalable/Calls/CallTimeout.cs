using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>A response timeout that is chosen at run time for the calls of a stretch of code.</summary>
/// <remarks>
/// <para>
/// It works where <c>AddCallTimeouts</c> was called on the silo or client that makes the calls. Each call has the whole
/// timeout. It bounds these calls, not those that the callee makes: nothing of it is sent.
/// </para>
/// <para>
/// Bounded are calls to grains of an application whose answer somebody waits for. One-way calls, observers, grain
/// extensions, system targets and grains of Orleans itself are not: by them Orleans commits transactions and stores
/// what many requests have written.
/// </para>
/// <para>
/// A call that is not answered in time ends with a <see cref="TimeoutException"/>. Orleans' own response timeout still holds, so a longer
/// value changes nothing. Where the method takes a <see cref="CancellationToken"/> the call is cancelled, at the callee too, and nothing of
/// it is left. Otherwise it is abandoned: its answer is dropped, and until then, or until Orleans' response timeout with its warning, Orleans keeps it
/// in its table. <see cref="CallTimeoutExtensions.GetCallTimeouts"/> counts them.
/// </para>
/// <para>
/// <b>Transactions.</b> A call that takes part in its caller's transaction and is not answered in time aborts that
/// transaction, whether the exception is caught or not.
/// </para>
/// <para><b>Cost.</b> A scope is one small object and two changes of the execution context. Calls outside of one only look for it.</para>
/// <para><b>Accuracy.</b> As <see cref="TimerService"/>: never early, late by about one resolution.</para>
/// <para>
/// <b>Threads.</b> The timeout flows with the execution context, as <see cref="RequestContext"/> does, also into
/// <c>Task.Run</c>, and not into grain timers, reminders, streams or other requests. What still runs when the scope is
/// disposed is free from then on.
/// </para>
/// </remarks>
public static class CallTimeout
{
    private static readonly AsyncLocal<CallTimeoutBound?> s_held = new();

    /// <summary>Gets the timeout of calls that are made here; null where they have none.</summary>
    public static TimeSpan? Current => CallTimeoutBound.Live(s_held.Value)?.Timeout;

    /// <summary>Bounds the calls that are made before the scope is disposed.</summary>
    /// <param name="timeout">How long each may take. Whole milliseconds of -1 lift a timeout that was set outside.</param>
    /// <returns>What restores, when disposed, the value of before. Dispose it in the method that began it.</returns>
    /// <remarks>
    /// In an asynchronous iterator a scope ends at the next <c>yield</c>, as everything does that flows with the execution context. In a call
    /// filter it does not bound the call that the filter passes on.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is zero, or negative and not infinite.</exception>
    public static CallTimeoutScope Begin(TimeSpan timeout)
    {
        var normalized = DueTime.Normalize(timeout, nameof(timeout));
        if (normalized == TimeSpan.Zero)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout of calls is longer than zero, or -1 millisecond for none.");
        }

        var bound = new CallTimeoutBound(normalized == Timeout.InfiniteTimeSpan ? null : normalized, s_held.Value);
        s_held.Value = bound;
        return new CallTimeoutScope(bound);
    }

    internal static void End(CallTimeoutBound bound)
    {
        bound.End();
        if (ReferenceEquals(s_held.Value, bound))
        {
            s_held.Value = bound.Outer;
        }
    }

    /// <summary>Frees the rest of the calling asynchronous method.</summary>
    internal static void Lift() => s_held.Value = null;
}
