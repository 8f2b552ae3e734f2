using System.Diagnostics;

namespace ScalableTimers.Clock;

/// <summary>What a clock does in its own way, and what it leaves to the system.</summary>
/// <remarks>
/// Many programs register a clock that tells another time of day or zone, and takes all else from
/// <see cref="TimeProvider"/>. Its timers are the system's, so a service that has it waits by the system clock.
/// </remarks>
internal static class ClockOverrides
{
    /// <summary>Whether the clock makes its own timers, so that only it knows when they are due.</summary>
    internal static bool MakesTimers(TimeProvider clock) => Overrides(
        (Func<TimerCallback, object?, TimeSpan, TimeSpan, ITimer>)clock.CreateTimer);

    /// <summary>Whether the clock counts time in its own way, as a test's does, instead of only telling it.</summary>
    internal static bool CountsTime(TimeProvider clock) =>
        MakesTimers(clock) || Overrides((Func<long>)clock.GetTimestamp);

    /// <summary>
    /// Refuses a clock whose timers and timestamps disagree: timers would fire at the wrong time or never.
    /// </summary>
    internal static void ThrowIfUnfit(TimeProvider clock)
    {
        if (MakesTimers(clock) && !Overrides((Func<long>)clock.GetTimestamp))
        {
            throw new ArgumentException(
                $"The clock {clock.GetType()} overrides CreateTimer but not GetTimestamp, so its timers and "
                + "timestamps disagree. Override both.",
                nameof(clock));
        }
    }

    // Unlike reflection, this works in a program that is compiled ahead of time, unless it is published without stack
    // traces. There, every clock but the system's counts as one that overrides everything.
    private static bool Overrides(Delegate method) =>
        !ReferenceEquals(method.Target, TimeProvider.System)
        && DiagnosticMethodInfo.Create(method)?.DeclaringTypeName != typeof(TimeProvider).FullName;
}
