using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Clock;

/// <summary>The due times that .NET's timers accept, and how they treat them.</summary>
internal static class DueTime
{
    private const long MaxTimerMilliseconds = 0xFFFFFFFE;

    /// <summary>The longest due time that .NET's timers accept.</summary>
    internal static TimeSpan MaxTimer { get; } = TimeSpan.FromMilliseconds(MaxTimerMilliseconds);

    /// <summary>
    /// Treats -1 whole milliseconds as infinite and anything between that and zero as zero. A smaller value is an
    /// error.
    /// </summary>
    /// <returns>A duration that is not negative, or <see cref="Timeout.InfiniteTimeSpan"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static TimeSpan Normalize(
        TimeSpan dueTime, [CallerArgumentExpression(nameof(dueTime))] string? name = null) =>
        dueTime.Ticks >= 0 ? dueTime : NormalizeNegative(dueTime, name);

    internal static void ThrowIfNotTimerRange(TimeSpan value, string name)
    {
        if ((value.Ticks / TimeSpan.TicksPerMillisecond) is < -1 or > MaxTimerMilliseconds)
        {
            throw new ArgumentOutOfRangeException(
                name,
                value,
                $"A timer accepts a duration from 0 to {MaxTimerMilliseconds} milliseconds, or -1 millisecond for "
                + "infinite.");
        }
    }

    private static TimeSpan NormalizeNegative(TimeSpan dueTime, string? name) =>
        (dueTime.Ticks / TimeSpan.TicksPerMillisecond) switch
        {
            0 => TimeSpan.Zero,
            -1 => Timeout.InfiniteTimeSpan,
            _ => ThrowNegative(dueTime, name),
        };

    [DoesNotReturn]
    private static TimeSpan ThrowNegative(TimeSpan dueTime, string? name) =>
        throw new ArgumentOutOfRangeException(
            name, dueTime, "A duration must be zero, positive, or -1 millisecond for infinite.");

    /// <summary>Rounds up to a whole millisecond, for timers and waits that would cut off the fraction.</summary>
    internal static TimeSpan RoundUpToMilliseconds(TimeSpan wait)
    {
        var rest = wait.Ticks % TimeSpan.TicksPerMillisecond;
        return rest == 0 ? wait : wait + new TimeSpan(TimeSpan.TicksPerMillisecond - rest);
    }
}
