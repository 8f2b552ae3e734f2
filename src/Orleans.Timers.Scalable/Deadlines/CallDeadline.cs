using Orleans.Timers.Scalable.Deadlines;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>The deadline of the current code: how much of its caller's time is left.</summary>
/// <remarks>
/// <para>
/// Silos and clients with <c>AddCallCancellation</c> send the remaining time with each call, as a duration, so clocks
/// need not agree. A nested call gets the smaller of its own budget and its caller's remaining time. A call whose
/// budget is spent is refused with a <see cref="TimeoutException"/>: the caller does not send it, and the callee runs
/// no grain code for it.
/// </para>
/// <para>
/// A deadline stops work that has begun only through the token that its grain method takes. Code without one can pass
/// <see cref="Remaining"/> to <see cref="TimerService.GetTimeoutToken"/>. A caller still waits until its response
/// timeout, as without deadlines.
/// </para>
/// <para>
/// <b>Cost.</b> Reading takes some tens of nanoseconds and allocates nothing. <b>Accuracy.</b> By the monotonic clock,
/// a deadline never passes early. A callee's deadline is late by the time on the network, by up to a millisecond for
/// each call, because budgets are rounded up, and by up to 80 milliseconds of a wait in a queue. <b>Order.</b> The
/// tightest deadline applies. <b>Threads.</b> A deadline flows with the execution context, like
/// <see cref="RequestContext"/>, and also into <c>Task.Run</c>. It does not flow into grain timers, reminders, streams,
/// one-way calls or other requests. It ends when its request has been answered or its scope is disposed, and does not
/// bind work that continues afterwards.
/// </para>
/// </remarks>
public static class CallDeadline
{
    /// <summary>The key under which a budget travels in <see cref="RequestContext"/>.</summary>
    /// <remarks>
    /// The value is a <see cref="long"/>. Its lower 32 bits are the milliseconds that were left when the call was made,
    /// rounded up. Its upper bits identify the message's time to live, or are zero. A caller without the plugin may set
    /// the value. A process with the plugin sets and removes it itself, and drops a value that its own code has set.
    /// </remarks>
    public const string HeaderKey = "orleans.timers.deadline";

    /// <summary>Whether a silo or client of this process has the filters. The class belongs to the process.</summary>
    internal static bool IsAdded { get; set; }

    /// <summary>Gets the time that the current code has left until its tightest deadline.</summary>
    /// <value>Null when there is no deadline; zero when it has passed.</value>
    public static TimeSpan? Remaining =>
        FlowingDeadline.Tightest(FlowingDeadline.Held, out var remaining) is null ? null : remaining;

    /// <summary>
    /// Limits the calls within a scope to a budget, or to the time remaining outside the scope if that is shorter.
    /// </summary>
    /// <param name="budget">
    /// The time from now. If it is zero, calls are refused. A value that truncates to -1 millisecond, or exceeds the
    /// longest timer (49 days), sets no bound.
    /// </param>
    /// <returns>The scope. The code that began it must dispose it. Calls made within it keep their budgets.</returns>
    /// <remarks>
    /// The scope uses the clock of the silo whose request it begins in, even a test's clock. Outside requests (clients,
    /// grain timers, activation) it uses the system clock. In an asynchronous iterator it ends at the next
    /// <c>yield</c>, like everything that flows with the execution context.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="budget"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// No silo or client in this process has called <c>AddCallCancellation</c>.
    /// </exception>
    public static CallDeadlineScope Begin(TimeSpan budget)
    {
        budget = DueTime.Normalize(budget);
        var held = FlowingDeadline.Held;
        if (budget == Timeout.InfiniteTimeSpan || budget > DueTime.MaxTimer)
        {
            return new CallDeadlineScope(held, held);
        }

        if (!IsAdded)
        {
            throw new InvalidOperationException(
                "No silo or client of this process has called AddCallCancellation, so a deadline would bound no call. "
                    + "Call it where the silo or client is configured.");
        }

        return Enter(budget, held);
    }

    /// <summary>
    /// Hides all outer deadlines from the code within a scope, for work that must be done even when the time is up.
    /// </summary>
    /// <returns>The scope. The code that began it must dispose it.</returns>
    public static CallDeadlineScope Suppress() => Enter(budget: null, FlowingDeadline.Held);

    private static CallDeadlineScope Enter(TimeSpan? budget, FlowingDeadline? outer)
    {
        var inner = new FlowingDeadline(FlowingDeadline.ClockOf(outer), budget, outer);
        FlowingDeadline.Held = inner;
        return new CallDeadlineScope(inner, outer);
    }
}
