using System.Collections.Immutable;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Tokens of deadlines that belong to no silo or client. Any service that uses the system's clock provides them.
/// </summary>
internal static class DeadlineTokens
{
    private static ImmutableArray<TimerService> s_services = [];

    internal static void Add(TimerService service) =>
        ImmutableInterlocked.Update(ref s_services, static (all, added) => all.Add(added), service);

    /// <summary>Removes a service that is being disposed, so that it does not stay reachable.</summary>
    internal static void Remove(TimerService service) =>
        ImmutableInterlocked.Update(ref s_services, static (all, removed) => all.Remove(removed), service);

    internal static CancellationToken After(TimerService? timers, TimeSpan remaining)
    {
        if (timers is null && s_services is [var first, ..])
        {
            timers = first;
        }

        if (timers is not null && !TurnedOff.Contains(timers))
        {
            return timers.GetTimeoutToken(remaining);
        }

        if (remaining == TimeSpan.Zero)
        {
            return new CancellationToken(canceled: true);
        }

        // No silo or client of this process has deadlines, or it is turned off, so .NET's own timer has to do. It is
        // early by up to a step of the system's coarse clock.
        var dueTime = remaining + QueueTime.ClockStep;

        // The source is not disposed, because its token would never be cancelled then.
#pragma warning disable CA2000
        return new CancellationTokenSource(dueTime < DueTime.MaxTimer ? dueTime : DueTime.MaxTimer).Token;
#pragma warning restore CA2000
    }
}
