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
    /// Treats a value that truncates to -1 millisecond as infinite, and one that truncates to zero as zero. A smaller
    /// value is an error.
    /// </summary>
    /// <returns>A duration that is not negative, or <see cref="Timeout.InfiniteTimeSpan"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static TimeSpan Normalize(
        TimeSpan dueTime, [CallerArgumentExpression(nameof(dueTime))] string? name = null) =>
        dueTime.Ticks is >= 0 or -TimeSpan.TicksPerMillisecond ? dueTime : NormalizeNegative(dueTime, name);

    internal static void ThrowIfTooLongForTimers(
        TimeSpan dueTime, [CallerArgumentExpression(nameof(dueTime))] string? name = null)
    {
        if (dueTime.Ticks >= (MaxTimerMilliseconds + 1) * TimeSpan.TicksPerMillisecond)
        {
            ThrowTooLong(dueTime, name);
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

    [DoesNotReturn]
    private static void ThrowTooLong(TimeSpan dueTime, string? name) =>
        throw new ArgumentOutOfRangeException(
            name, dueTime, $"A timer accepts at most {MaxTimerMilliseconds} milliseconds.");

    /// <summary>
    /// Rounds up to a whole millisecond, if there is one, for timers and waits that would cut off the fraction.
    /// </summary>
    internal static TimeSpan RoundUpToMilliseconds(TimeSpan wait)
    {
        var rest = wait.Ticks % TimeSpan.TicksPerMillisecond;
        return rest == 0 || TimeSpan.MaxValue - wait < TimeSpan.FromMilliseconds(1)
            ? wait
            : wait + new TimeSpan(TimeSpan.TicksPerMillisecond - rest);
    }
}
