using Orleans.Timers.Scalable.Calls;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Bounds the calls of a flow of control: the deadline of a request or scope, or a barrier that hides all outer bounds.
/// </summary>
/// <remarks>
/// <para>
/// An <see cref="AsyncLocal{T}"/> holds it, so it flows where <see cref="RequestContext"/> flows: into awaited code,
/// nested calls and <c>Task.Run</c>. It does not flow into grain timers, reminders, activations and streams, because
/// Orleans starts those without a context.
/// </para>
/// <para>
/// A library may start a loop inside a request, and the loop keeps that request's context for good. So a bound applies
/// only until its request has been answered or its scope disposed. Code that still holds it then sees the outer bounds.
/// </para>
/// </remarks>
internal sealed class CallDeadline : CallBound<CallDeadline>
{
    private static readonly AsyncLocal<CallDeadline?> s_current = new();

    private readonly TimerService? _timers;
    private readonly TimeProvider _clock;
    private readonly long _end;
    private readonly bool _isBarrier;
    private CancellationToken _token;

    /// <summary>Creates a deadline that is <paramref name="budget"/> from now.</summary>
    /// <param name="timers">
    /// The service that provides the clock and the token; null for the system clock and any service of the process.
    /// </param>
    /// <param name="budget">Not negative, and no longer than <see cref="DueTime.MaxTimer"/>.</param>
    /// <param name="outer">The outer bound, or null.</param>
    internal CallDeadline(TimerService? timers, TimeSpan budget, CallDeadline? outer)
        : base(outer)
    {
        _timers = timers;
        _clock = timers?.TimeProvider ?? TimeProvider.System;

        // Rounds up, because a deadline must never be early. Units down to a nanosecond do not overflow; see MaxTimer.
        _end = _clock.GetTimestamp() + (long)Math.Ceiling(budget.TotalSeconds * _clock.TimestampFrequency);
    }

    /// <summary>Creates a barrier, inside which no outer bound applies.</summary>
    private CallDeadline(TimerService? timers, CallDeadline? outer)
        : base(outer)
    {
        _timers = timers;
        _clock = TimeProvider.System;
        _isBarrier = true;
    }

    /// <summary>How long ago the deadline passed.</summary>
    internal TimeSpan Overdue => _clock.GetElapsedTime(_end);

    /// <summary>The bound that the current flow holds, whether or not it still applies.</summary>
    internal static CallDeadline? Held
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>Creates a barrier. Deadlines that begin inside it use the same clock as outside.</summary>
    internal static CallDeadline Barrier(CallDeadline? outer) => new(TimersOf(outer), outer);

    /// <summary>
    /// The bound of a request without a deadline. Deadlines that begin in such a request use the service's clock.
    /// </summary>
    internal static CallDeadline None(TimerService timers) => new(timers, outer: null);

    /// <summary>The service whose clock a flow's new deadlines use; null for the system clock.</summary>
    internal static TimerService? TimersOf(CallDeadline? held) => Live(held)?._timers;

    /// <summary>Returns the tightest bound that applies to a flow, and its remaining time; null if none does.</summary>
    internal static CallDeadline? Tightest(CallDeadline? held, out TimeSpan remaining)
    {
        CallDeadline? tightest = null;
        remaining = TimeSpan.MaxValue;
        for (var bound = Live(held); bound is not null; bound = bound.Outer)
        {
            if (bound._isBarrier)
            {
                break;
            }

            var left = bound.Remaining();
            if (tightest is null || left < remaining)
            {
                (tightest, remaining) = (bound, left);
            }
        }

        return tightest;
    }

    internal CancellationToken Token(TimeSpan remaining)
    {
        // Two threads may get tokens of adjacent buckets. Either token is correct.
        var token = _token;
        if (!token.CanBeCanceled)
        {
            token = DeadlineTokens.After(_timers, remaining);
            _token = token;
        }

        return token;
    }

    private TimeSpan Remaining()
    {
        var left = _end - _clock.GetTimestamp();
        if (left <= 0)
        {
            return TimeSpan.Zero;
        }

        var time = _clock.GetElapsedTime(0, left);
        return time > TimeSpan.Zero ? time : TimeSpan.FromTicks(1);
    }
}
