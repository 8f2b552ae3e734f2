using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>A response timeout that is chosen at run time for the calls of a stretch of code.</summary>
/// <remarks>
/// <para>
/// It works where <c>AddCallTimeouts</c> was called on the silo or client that makes the calls. Each call has the whole timeout. The value is kept in the
/// <see cref="RequestContext"/> of the caller and is taken out of what is sent: it bounds these calls, not those that the callee makes.
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
/// transaction, as with Orleans' own response timeout, whether the exception is caught or not.
/// </para>
/// <para><b>Cost.</b> Setting a value copies the request context, and so does each call. Calls without a value only look for it.</para>
/// <para><b>Accuracy.</b> As <see cref="TimerService"/>: never early, late by about one resolution.</para>
/// <para><b>Threads.</b> The value follows the asynchronous flow of its caller, as everything in the request context.</para>
/// </remarks>
public static class CallTimeout
{
    /// <summary>
    /// Where the value is in the <see cref="RequestContext"/>: a <see cref="TimeSpan"/> longer than zero, or of -1
    /// millisecond for none.
    /// </summary>
    /// <remarks>Anything else is ignored, and counted by <see cref="CallTimeoutSnapshot.Ignored"/>.</remarks>
    public const string RequestContextKey = "Orleans.Timers.Scalable.CallTimeout";

    /// <summary>Gets the timeout of calls that are made here; null where they have none.</summary>
    public static TimeSpan? Current => RequestContext.Get(RequestContextKey) is TimeSpan timeout && timeout > TimeSpan.Zero ? timeout : null;

    /// <summary>Bounds the calls that are made before the scope is disposed.</summary>
    /// <param name="timeout">How long each may take. Whole milliseconds of -1 lift a timeout that was set outside.</param>
    /// <returns>What restores, when disposed, the value of before. Dispose it in the method that began it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="timeout"/> is zero, or negative and not infinite.</exception>
    public static CallTimeoutScope Begin(TimeSpan timeout)
    {
        if (!IsValid(timeout))
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "The timeout of calls is longer than zero, or -1 millisecond for none.");
        }

        var outer = RequestContext.Get(RequestContextKey);
        Set(timeout == Timeout.InfiniteTimeSpan ? null : timeout);
        return new CallTimeoutScope(outer);
    }

    internal static void Set(object? value)
    {
        if (value is null)
        {
            RequestContext.Remove(RequestContextKey);
        }
        else
        {
            RequestContext.Set(RequestContextKey, value);
        }
    }

    /// <summary>Takes the timeout out of the request context.</summary>
    /// <returns>
    /// What bounds a call; infinite if there is no such value, or one that makes no sense, which is counted.
    /// </returns>
    internal static TimeSpan Take(TimerService timers)
    {
        if (RequestContext.Get(RequestContextKey) is not { } value)
        {
            return Timeout.InfiniteTimeSpan;
        }

        RequestContext.Remove(RequestContextKey);
        if (value is TimeSpan timeout && IsValid(timeout))
        {
            return timeout;
        }

        CallTimeoutStatistics.Of(timers).OnIgnored();
        return Timeout.InfiniteTimeSpan;
    }

    private static bool IsValid(TimeSpan timeout) => timeout > TimeSpan.Zero || timeout == Timeout.InfiniteTimeSpan;
}
