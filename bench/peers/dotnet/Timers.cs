using ScalableTimers.Compare.Workloads;

namespace ScalableTimers.Peer;

/// <summary>A kind of timer.</summary>
/// <param name="Name">The name in the tables.</param>
/// <param name="Schedule">
/// Schedules a timer that will not be cancelled. Returns what must stay alive for the timer to fire, or null.
/// </param>
/// <param name="ScheduleThenCancel">Schedules this many timers of 30 seconds and cancels each at once.</param>
internal sealed record Timers(
    string Name, Func<TimerCallback, object?, TimeSpan, object?> Schedule, Action<int> ScheduleThenCancel)
{
    /// <summary>Gets .NET's timers.</summary>
    internal static Timers System { get; } = new(
        ".NET-Timer",
        static (callback, state, dueTime) => new Timer(callback, state, dueTime, Timeout.InfiniteTimeSpan),
        Loops.OfTimer);

    /// <summary>Our timers.</summary>
    internal static Timers Of(string name, TimerService service) => new(
        name,
        (callback, state, dueTime) =>
        {
            service.Schedule(callback, state, dueTime);
            return null;
        },
        Loops.OfSchedule(service));

    /// <summary>Schedules a timer that does not fire during a measurement.</summary>
    internal object? ScheduleFar() => Schedule(Loops.Ignore, null, TimeSpan.FromHours(1));

    /// <summary>Schedules this many of them.</summary>
    internal object?[] ScheduleFar(int count)
    {
        var kept = new object?[count];
        for (var i = 0; i < kept.Length; i++)
        {
            kept[i] = ScheduleFar();
        }

        return kept;
    }
}
