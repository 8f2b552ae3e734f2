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
/// <param name="clock">The clock of the bound, and of deadlines that begin inside it.</param>
/// <param name="budget">Not negative, and no longer than <see cref="DueTime.MaxTimer"/>; null for a barrier.</param>
/// <param name="outer">The outer bound, or null.</param>
internal sealed class FlowingDeadline(TimeProvider clock, TimeSpan? budget, FlowingDeadline? outer)
{
    private static readonly AsyncLocal<FlowingDeadline?> s_current = new();

    // Rounds up, because a deadline must never be early. Units down to a nanosecond do not overflow; see MaxTimer.
    private readonly long? _end = budget is { } time
        ? clock.GetTimestamp() + (long)Math.Ceiling(time.TotalSeconds * clock.TimestampFrequency)
        : null;

    private FlowingDeadline? _outer = Live(outer);
    private volatile bool _isOver;

    /// <summary>How long ago the deadline passed.</summary>
    internal TimeSpan Overdue => clock.GetElapsedTime(_end!.Value);

    /// <summary>The bound that the current flow holds, whether or not it still applies.</summary>
    internal static FlowingDeadline? Held
    {
        get => s_current.Value;
        set => s_current.Value = value;
    }

    private TimeProvider Clock => clock;

    /// <summary>Gets the nearest outer bound that still applies, and releases those that have ended.</summary>
    private FlowingDeadline? Outer => _outer is { _isOver: true } over ? _outer = Live(over) : _outer;

    /// <summary>The clock for a flow's new deadlines.</summary>
    internal static TimeProvider ClockOf(FlowingDeadline? held) => Live(held)?.Clock ?? TimeProvider.System;

    /// <summary>Returns the tightest bound that applies to a flow, and its remaining time; null if none does.</summary>
    internal static FlowingDeadline? Tightest(FlowingDeadline? held, out TimeSpan remaining)
    {
        FlowingDeadline? tightest = null;
        remaining = TimeSpan.MaxValue;
        for (var bound = Live(held); bound is { _end: { } end }; bound = bound.Outer)
        {
            var left = bound.Until(end);
            if (left < remaining)
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

    /// <summary>Returns the bound if it still applies, otherwise the nearest outer one that does.</summary>
    private static FlowingDeadline? Live(FlowingDeadline? bound)
    {
        while (bound is { _isOver: true })
        {
            bound = bound._outer;
        }

        return bound;
    }

    private TimeSpan Until(long end)
    {
        var left = end - clock.GetTimestamp();
        if (left <= 0)
        {
            return TimeSpan.Zero;
        }

        var time = clock.GetElapsedTime(0, left);
        return time > TimeSpan.Zero ? time : TimeSpan.FromTicks(1);
    }
}
