using Orleans.Timers.Scalable.Calls;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>A response timeout, chosen at run time, for the calls in a block of code.</summary>
/// <remarks>
/// <para>
/// It works if <c>AddCallTimeouts</c> was called on the silo or client that makes the calls. Each call gets the whole
/// timeout. The timeout is not sent, so it does not bound the calls that the callee makes.
/// </para>
/// <para>
/// It bounds calls to an application's grains whose answers are awaited. It does not bound one-way calls, or calls to
/// observers, grain extensions, system targets and Orleans' own grains: Orleans uses them to commit transactions and to
/// store what many requests have written.
/// </para>
/// <para>
/// A call that is not answered in time ends with a <see cref="TimeoutException"/>. If the method takes a
/// <see cref="CancellationToken"/>, the call is cancelled; otherwise it is abandoned. See
/// <see cref="CallTimeoutExtensions"/>.
/// </para>
/// <para>
/// <b>Transactions.</b> If a call takes part in its caller's transaction and is not answered in time, the transaction
/// aborts, whether or not the exception is caught.
/// </para>
/// <para>
/// <b>Cost.</b> A scope takes one small object and two changes of the execution context. A call outside any scope
/// pays only for the filters.
/// </para>
/// <para>
/// <b>Accuracy.</b> Like <see cref="TimerService"/>: never early, about one resolution late. After the process has
/// stalled, up to a second more, so that answers that have arrived are read.
/// </para>
/// <para>
/// <b>Threads.</b> The timeout flows with the execution context, like <see cref="RequestContext"/>, and also into
/// <c>Task.Run</c>. It does not flow into grain timers, reminders, streams or other requests. Once the scope is
/// disposed, code that still runs inside it is no longer bounded.
/// </para>
/// </remarks>
public static class CallTimeout
{
    private static readonly AsyncLocal<FlowingTimeout?> s_held = new();

    /// <summary>Whether a silo or client of this process has the filters. The class belongs to the process.</summary>
    internal static bool IsAdded { get; set; }

    /// <summary>Gets the timeout of the calls that the current code makes; null if they have none.</summary>
    public static TimeSpan? Current => FlowingTimeout.Live(s_held.Value)?.Timeout;

    /// <summary>Bounds the calls made before the scope is disposed.</summary>
    /// <param name="timeout">
    /// How long each call may take. A value that truncates to -1 millisecond lifts a timeout set outside the scope.
    /// </param>
    /// <returns>
    /// A scope that restores the previous timeout when it is disposed. Dispose it in the method that began it.
    /// </returns>
    /// <remarks>
    /// In an asynchronous iterator, a scope ends at the next <c>yield</c>, like everything that flows with the
    /// execution context. In a call filter, a scope does not bound the call that the filter passes on.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="timeout"/> is zero, or negative and not infinite.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// No silo or client in this process has called <c>AddCallTimeouts</c>.
    /// </exception>
    public static CallTimeoutScope Begin(TimeSpan timeout)
    {
        var normalized = DueTime.Normalize(timeout, nameof(timeout));
        if (normalized == TimeSpan.Zero)
        {
            throw new ArgumentOutOfRangeException(
                nameof(timeout),
                timeout,
                "The timeout of a call must be longer than zero, or -1 millisecond for no timeout.");
        }

        if (normalized != Timeout.InfiniteTimeSpan && !IsAdded)
        {
            throw new InvalidOperationException(
                "No silo or client of this process has called AddCallTimeouts, so a timeout would bound no call. Call "
                    + "it where the silo or client is configured.");
        }

        var bound = new FlowingTimeout(normalized == Timeout.InfiniteTimeSpan ? null : normalized, s_held.Value);
        s_held.Value = bound;
        return new CallTimeoutScope(bound);
    }

    internal static void End(FlowingTimeout bound)
    {
        bound.End();
        if (ReferenceEquals(s_held.Value, bound))
        {
            s_held.Value = bound.Outer;
        }
    }

    /// <summary>Removes the timeout for the rest of the calling asynchronous method.</summary>
    internal static void Lift() => s_held.Value = null;
}
