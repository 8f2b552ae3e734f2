using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>The deadline that the current code works under: how much of its caller's time is left.</summary>
/// <remarks>
/// <para>
/// Silos and clients with <c>AddCallDeadlines</c> hand what is left on with each call, as a duration and never as a time of day, so clocks
/// need not agree. A nested call gets the smaller of its own budget and what is left of its caller's. A call whose budget is
/// spent is refused with a <see cref="TimeoutException"/>: its caller does not send it, and a callee does not run grain code.
/// </para>
/// <para>
/// A deadline stops nothing that has begun: pass <see cref="Token"/> to what can be cancelled. A caller's wait ends by its
/// response timeout, as ever. Without <c>AddCallDeadlines</c> a deadline is known only where it was begun.
/// </para>
/// <para>
/// What is left is measured in the call filters of <c>AddCallDeadlines</c>, which belong behind the application's own: time that filters behind them
/// take is not counted.
/// </para>
/// <para>
/// <b>Cost.</b> Reading takes some tens of nanoseconds and allocates nothing. <b>Accuracy.</b> A deadline never passes early by the
/// monotonic clock; a callee's is late by what the network took, and up to a millisecond a call, because budgets travel rounded up.
/// <b>Order.</b> The tightest deadline counts. <b>Threads.</b> A deadline flows with the execution context, as
/// <see cref="RequestContext"/> does, also into <c>Task.Run</c>, and not into grain timers, reminders, streams, one-way calls or other
/// requests. It ends when its request has been answered or its scope is disposed: work that goes on afterwards is not bound by it.
/// </para>
/// </remarks>
public static class GrainDeadline
{
    /// <summary>The key under which a budget travels in <see cref="RequestContext"/>.</summary>
    /// <remarks>
    /// The value is a <see cref="long"/> whose lower 32 bits are the milliseconds that were left when the call was made, rounded up. The upper
    /// ones say how the message keeps its time, or are zero. A caller without the plugin may set it; a process with the plugin sets and removes
    /// it itself, and what its code sets is dropped.
    /// </remarks>
    public const string HeaderKey = "orleans.timers.deadline";

    /// <summary>Gets what is left of the time that the current code has, by its tightest deadline.</summary>
    /// <value>Null when there is no deadline; zero when it has passed.</value>
    public static TimeSpan? Remaining => CallDeadline.Tightest(CallDeadline.Held, out var remaining) is null ? null : remaining;

    /// <summary>Gets a token that is cancelled after the deadline, shared with others that end at about the same time.</summary>
    /// <value><see cref="CancellationToken.None"/> when there is no deadline.</value>
    /// <remarks>
    /// It is cancelled no earlier than the deadline, and at most one <see cref="ScalableTimerOptions.TimeoutTokenBucket"/> plus one resolution
    /// later, also when the request has been answered before. Dispose registrations that are no longer wanted.
    /// </remarks>
    public static CancellationToken Token =>
        CallDeadline.Tightest(CallDeadline.Held, out var remaining) is { } deadline ? deadline.Token(remaining) : CancellationToken.None;

    /// <summary>Gives the calls made within a scope a budget. The smaller of it and what is left around the scope counts.</summary>
    /// <param name="budget">
    /// How long from now. Zero is spent at once: calls are refused. Whole milliseconds of -1, and anything longer than a timer can be
    /// (49 days), bound nothing.
    /// </param>
    /// <returns>The scope, to be disposed by the code that began it. Calls that were made within it keep their budgets.</returns>
    /// <remarks>
    /// It keeps the time of the silo whose request it is begun in, be it a test's; outside of requests (clients, grain timers, activation) the system's.
    /// In an asynchronous iterator it ends at the next <c>yield</c>, as everything does that flows with the execution context.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="budget"/> is negative and not infinite.</exception>
    public static GrainDeadlineScope Begin(TimeSpan budget)
    {
        budget = DueTime.Normalize(budget);
        var held = CallDeadline.Held;
        if (budget == Timeout.InfiniteTimeSpan || budget > DueTime.LongestTimer)
        {
            return new GrainDeadlineScope(held, held);
        }

        return Enter(new CallDeadline(CallDeadline.TimersOf(held), budget, held), held);
    }

    /// <summary>Frees the code within a scope from all deadlines around it: for what must be done although time is up.</summary>
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
