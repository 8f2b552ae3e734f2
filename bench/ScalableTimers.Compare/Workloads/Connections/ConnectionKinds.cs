using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Partitioned;

namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>Connections by the kind of their delays.</summary>
internal static class ConnectionKinds
{
    internal const int Count = 100_000;

    /// <summary>Creates a contestant for each kind. They share a service, which lives through all rounds.</summary>
    /// <param name="measure">Measures one round.</param>
    internal static IReadOnlyList<Contestant> Contestants(Func<Renewals, Connection[], Measurement> measure)
    {
        var timers = new TimerService();
        var queue = new GlobalLockQueue();
        Contestant Of(string name, Func<Renewals, Connection> create) => new(name, () => Run(measure, create));
        return
        [
            Of("Timer", static renewals => new TimerConnection(renewals)),
            Of("one lock, one list", renewals => new GlobalLockConnection(renewals, queue)) with { Owned = queue },
            Of("Task.Delay + token", static renewals => new TaskDelayConnection(renewals)),
            Of("Schedule", renewals => new ScheduledConnection(renewals, timers)) with
            {
                Owned = timers,
                HasCountedLocks = false,
            },
            Of("TryDelay + token", renewals => new TryDelayConnection(renewals, timers)) with
            {
                Against = "Task.Delay + token",
                HasCountedLocks = false,
            },
        ];
    }

    private static Measurement Run(
        Func<Renewals, Connection[], Measurement> measure, Func<Renewals, Connection> create)
    {
        var renewals = new Renewals();
        var connections = new Connection[Count];
        for (var i = 0; i < connections.Length; i++)
        {
            connections[i] = create(renewals);
        }

        return measure(renewals, connections);
    }
}
