using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable;

/// <summary>One bound on the calls of a flow of control: a request's deadline, a scope's, or the end of all bounds around a scope.</summary>
/// <remarks>
/// <para>
/// It is held by an <see cref="AsyncLocal{T}"/>, so it flows where <see cref="RequestContext"/> flows: into awaited code, nested calls
/// and <c>Task.Run</c>. It does not flow into grain timers, reminders, activations and streams, which Orleans starts without a context.
/// </para>
/// <para>
/// A loop that some library starts lazily inside a request keeps that request's context for good. So a bound counts only until its
/// request has been answered or its scope disposed: afterwards whoever still holds it sees what is around it.
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

    /// <summary>A deadline that is <paramref name="budget"/> from now.</summary>
    /// <param name="timers">Gives time and the token; null for the system's clock and whichever service there is.</param>
    /// <param name="budget">Not negative, and no longer than <see cref="DueTime.LongestTimer"/>.</param>
    /// <param name="outer">What is in force around it.</param>
    internal CallDeadline(TimerService? timers, TimeSpan budget, CallDeadline? outer)
        : base(outer)
    {
        _timers = timers;
        _clock = timers?.TimeProvider ?? TimeProvider.System;

        // Rounded up: a deadline is never early. Frequencies of up to a nanosecond do not overflow, see LongestTimer.
        _end = _clock.GetTimestamp() + (long)Math.Ceiling(budget.TotalSeconds * _clock.TimestampFrequency);
    }

    /// <summary>A barrier: nothing around it counts inside.</summary>
    private CallDeadline(TimerService? timers, CallDeadline? outer)
        : base(outer)
    {
        _timers = timers;
        _clock = TimeProvider.System;
        _isBarrier = true;
    }

    /// <summary>What the current flow holds, whether or not it still counts.</summary>
    internal static CallDeadline? Held
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>Whoever begins a deadline inside keeps the same time as outside.</summary>
    internal static CallDeadline Barrier(CallDeadline? outer) => new(TimersOf(outer), outer);

    /// <summary>What a request without a deadline holds where deadlines that begin in it keep a service's time.</summary>
    internal static CallDeadline None(TimerService timers) => new(timers, outer: null);

    /// <summary>The service that a deadline which begins in a flow takes its time from; null for the system's.</summary>
    internal static TimerService? TimersOf(CallDeadline? held) => Live(held)?._timers;

    /// <summary>The tightest of the bounds that count for a flow, and what remains of it; null when there is none.</summary>
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
        // Racing readers may make two tokens of neighbouring buckets; either will do.
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
        return left <= 0 ? TimeSpan.Zero : _clock.GetElapsedTime(0, left) is var time && time > TimeSpan.Zero ? time : TimeSpan.FromTicks(1);
    }
}
