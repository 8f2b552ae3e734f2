using System.Collections.Immutable;
using Orleans.Timers.Scalable.Registration;
using ScalableTimers;
using ScalableTimers.Clock;

namespace Orleans.Timers.Scalable.Deadlines;

/// <summary>
/// Provides the tokens of deadlines. Any service on the system clock serves those that belong to no silo or client.
/// </summary>
internal static class DeadlineTokens
{
    private static ImmutableArray<TimerService> s_services = [];

    internal static void Add(TimerService service) =>
        ImmutableInterlocked.Update(ref s_services, static (all, added) => all.Add(added), service);

    /// <summary>Removes a service that is being disposed, so that it can be collected.</summary>
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

        // This process has no service for deadlines, or the service is turned off, so a .NET timer has to do. It fires
        // early by up to a step of the system's coarse clock.
        var dueTime = remaining + QueueTime.ClockStep;

        // The source is not disposed, because then its token would never be cancelled.
#pragma warning disable CA2000
        return new CancellationTokenSource(dueTime < DueTime.MaxTimer ? dueTime : DueTime.MaxTimer).Token;
#pragma warning restore CA2000
    }
}
