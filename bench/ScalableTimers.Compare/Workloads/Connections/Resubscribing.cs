using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>What do very many long delays cost that fire now and then, one for each connection of a gateway?</summary>
internal sealed class Resubscribing : Workload
{
    internal override string Name => "partitioned-resubscribe";

    internal override string Question =>
        $"What does a second cost in processor time with {ConnectionKinds.Count:N0} connections, each of which renews "
        + $"its subscription every {Renewals.Interval.TotalSeconds:0} s, {RenewalsPerSecond:N0} a second altogether, "
        + "and how late are they?";

    internal override string ComparedBy => "processor time";

    internal override bool IsSlow => true;

    internal override bool CountsLockWaits => true;

    // The connections have been open for a while before they are measured.
    internal override bool IsWarmedUp => false;

    internal override int MostRounds => 3;

    private static double RenewalsPerSecond => ConnectionKinds.Count / Renewals.Interval.TotalSeconds;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale)
    {
        var duration = TimeSpan.FromSeconds(scale.Divisor == 1 ? 4 : 1);
        return ConnectionKinds.Contestants((renewals, connections) => renewals.Measure(connections, duration));
    }
}
