using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>The deadline of the current code: how much of its caller's time is left.</summary>
/// <remarks>
/// <para>
/// Silos and clients with <c>AddCallDeadlines</c> send the remaining time along with each call. They send a duration
/// and never a time of day, so clocks need not agree. A nested call gets the smaller one of its own budget and its
/// caller's remaining time. A call whose budget is spent is refused with a <see cref="TimeoutException"/>: the caller
/// does not send it, and the callee runs no grain code for it.
/// </para>
/// <para>
/// A deadline does not stop work that has begun. Pass <see cref="Token"/> to operations that can be cancelled. A
/// caller's wait ends by its response timeout, as without deadlines.
/// </para>
/// <para>
/// The call filters of <c>AddCallDeadlines</c> measure the remaining time. They belong behind the application's own
/// filters, because they do not count the time that filters behind them take.
/// </para>
/// <para>
/// <b>Cost.</b> Reading takes some tens of nanoseconds and allocates nothing. <b>Accuracy.</b> A deadline never passes
/// early by the monotonic clock. A callee's deadline is late by the time that the network took, and by up to a
/// millisecond for each call, because budgets are rounded up. <b>Order.</b> The tightest deadline counts.
/// <b>Threads.</b> A deadline flows with the execution context, as <see cref="RequestContext"/> does, also into
/// <c>Task.Run</c>. It does not flow into grain timers, reminders, streams, one-way calls or other requests. It ends
/// when its request has been answered or its scope is disposed. Work that goes on afterwards is not bound by it.
/// </para>
/// </remarks>
public static class GrainDeadline
{
    /// <summary>The key under which a budget travels in <see cref="RequestContext"/>.</summary>
    /// <remarks>
    /// The value is a <see cref="long"/>. Its lower 32 bits are the milliseconds that were left when the call was made,
    /// rounded up. Its upper bits tell how the message keeps its time, or are zero. A caller without the plugin may set
    /// the value. A process with the plugin sets and removes it by itself, and drops a value that its code has set.
    /// </remarks>
    public const string HeaderKey = "orleans.timers.deadline";

    /// <summary>Gets the remaining time of the current code, by its tightest deadline.</summary>
    /// <value>Null when there is no deadline; zero when it has passed.</value>
    public static TimeSpan? Remaining =>
        CallDeadline.Tightest(CallDeadline.Held, out var remaining) is null ? null : remaining;

    /// <summary>
    /// Gets a token that is cancelled after the deadline, shared with others that end at about the same time.
    /// </summary>
    /// <value><see cref="CancellationToken.None"/> when there is no deadline.</value>
    /// <remarks>
    /// The token is cancelled no earlier than the deadline, and at most one
    /// <see cref="ScalableTimerOptions.TimeoutTokenBucket"/> plus one resolution later. It is cancelled even if the
    /// request has been answered before, so dispose registrations that are no longer wanted.
    /// </remarks>
    public static CancellationToken Token =>
        CallDeadline.Tightest(CallDeadline.Held, out var remaining) is { } deadline
            ? deadline.Token(remaining)
            : CancellationToken.None;

    /// <summary>
    /// Gives the calls within a scope a budget. The smaller one of this budget and the time remaining around the scope
    /// counts.
    /// </summary>
    /// <param name="budget">
    /// How long from now. Zero is spent at once, so calls are refused. -1 whole milliseconds, and any value above the
    /// longest timer (49 days), set no bound.
    /// </param>
    /// <returns>
    /// The scope, to be disposed by the code that began it. Calls that were made within it keep their budgets.
    /// </returns>
    /// <remarks>
    /// The scope uses the clock of the silo in whose request it begins, also a test's clock. Outside of requests
    /// (clients, grain timers, activation) it uses the system's clock. In an asynchronous iterator it ends at the next
    /// <c>yield</c>, like everything that flows with the execution context.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="budget"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// No silo or client of this process has called <c>AddCallDeadlines</c>.
    /// </exception>
    public static GrainDeadlineScope Begin(TimeSpan budget)
    {
        budget = DueTime.Normalize(budget);
        var held = CallDeadline.Held;
        if (budget == Timeout.InfiniteTimeSpan || budget > DueTime.MaxTimer)
        {
            return new GrainDeadlineScope(held, held);
        }

        CallDeadlinesBuilderExtensions.ThrowIfNotAdded();
        return Enter(new CallDeadline(CallDeadline.TimersOf(held), budget, held), held);
    }

    /// <summary>
    /// Removes all deadlines around a scope for the code within, for work that must be done although the time is up.
    /// </summary>
    /// <returns>The scope, to be disposed by the code that began it.</returns>
    public static GrainDeadlineScope Suppress()
    {
        var held = CallDeadline.Held;
        return Enter(CallDeadline.Barrier(held), held);
    }

    private static GrainDeadlineScope Enter(CallDeadline inner, CallDeadline? outer)
    {
        CallDeadline.Held = inner;
        return new GrainDeadlineScope(inner, outer);
    }
}
