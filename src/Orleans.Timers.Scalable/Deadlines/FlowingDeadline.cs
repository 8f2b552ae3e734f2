using Orleans.Timers.Scalable.Calls;
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
internal sealed class FlowingDeadline
{
    private static readonly AsyncLocal<FlowingDeadline?> s_current = new();

    private readonly CallTimers? _timers;
    private readonly TimeProvider _clock;
    private readonly long _end;
    private readonly bool _isBarrier;
    private CancellationToken _token;
    private FlowingDeadline? _outer;
    private volatile bool _isOver;

    /// <summary>Creates a deadline that is <paramref name="budget"/> from now.</summary>
    /// <param name="timers">
    /// The state of the silo that provides the clock and the token; null for the system clock and .NET's timers.
    /// </param>
    /// <param name="budget">Not negative, and no longer than <see cref="DueTime.MaxTimer"/>.</param>
    /// <param name="outer">The outer bound, or null.</param>
    internal FlowingDeadline(CallTimers? timers, TimeSpan budget, FlowingDeadline? outer)
    {
        _outer = Live(outer);
        _timers = timers;
        _clock = timers?.Service.TimeProvider ?? TimeProvider.System;

        // Rounds up, because a deadline must never be early. Units down to a nanosecond do not overflow; see MaxTimer.
        _end = _clock.GetTimestamp() + (long)Math.Ceiling(budget.TotalSeconds * _clock.TimestampFrequency);
    }

    /// <summary>Creates a barrier, inside which no outer bound applies.</summary>
    private FlowingDeadline(CallTimers? timers, FlowingDeadline? outer)
    {
        _outer = Live(outer);
        _timers = timers;
        _clock = TimeProvider.System;
        _isBarrier = true;
    }

    /// <summary>How long ago the deadline passed.</summary>
    internal TimeSpan Overdue => _clock.GetElapsedTime(_end);

    /// <summary>The bound that the current flow holds, whether or not it still applies.</summary>
    internal static FlowingDeadline? Held
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    /// <summary>Gets the nearest outer bound that still applies, and releases those that have ended.</summary>
    private FlowingDeadline? Outer => _outer is { _isOver: true } over ? _outer = Live(over) : _outer;

    /// <summary>Creates a barrier. Deadlines that begin inside it use the same clock as outside.</summary>
    internal static FlowingDeadline Barrier(FlowingDeadline? outer) => new(TimersOf(outer), outer);

    /// <summary>
    /// The bound of a request without a deadline. Deadlines that begin in such a request use the service's clock.
    /// </summary>
    internal static FlowingDeadline None(CallTimers timers) => new(timers, outer: null);

    /// <summary>The service whose clock a flow's new deadlines use; null for the system clock.</summary>
    internal static CallTimers? TimersOf(FlowingDeadline? held) => Live(held)?._timers;

    /// <summary>Returns the tightest bound that applies to a flow, and its remaining time; null if none does.</summary>
    internal static FlowingDeadline? Tightest(FlowingDeadline? held, out TimeSpan remaining)
    {
        FlowingDeadline? tightest = null;
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

    /// <summary>Ends the bound, so that it no longer applies, wherever it was captured.</summary>
    internal void End()
    {
        _isOver = true;

        // A loop may begin the scope of each round before it ends the previous round's. Each bound would then keep the
        // previous one alive. So release outer bounds that have ended: a chain holds only bounds that were in force at
        // the same time.
        _outer = Live(_outer);
    }

    internal CancellationToken Token(TimeSpan remaining)
    {
        // Two threads may get tokens of adjacent buckets. Either token is correct.
        var token = _token;
        if (!token.CanBeCanceled)
        {
            token = TokenAfter(remaining);
            _token = token;
        }

        return token;
    }

    /// <summary>Returns the bound if it still applies, otherwise the nearest outer one that does.</summary>
    private static FlowingDeadline? Live(FlowingDeadline? bound)
    {
        while (bound is { _isOver: true })
        {
            bound = bound._outer;
        }

        return bound;
    }

    private CancellationToken TokenAfter(TimeSpan remaining)
    {
        if (_timers is { IsOff: false })
        {
            return _timers.Service.GetTimeoutToken(remaining);
        }

        if (remaining == TimeSpan.Zero)
        {
            return new CancellationToken(canceled: true);
        }

        // Outside requests, or if the plugin is turned off, a .NET timer has to do. It fires early by up to a step of
        // the system's coarse clock.
        var dueTime = remaining + QueueTime.ClockStep;

        // The source is not disposed, because then its token would never be cancelled.
#pragma warning disable CA2000
        return new CancellationTokenSource(dueTime < DueTime.MaxTimer ? dueTime : DueTime.MaxTimer).Token;
#pragma warning restore CA2000
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
