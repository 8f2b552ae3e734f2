using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>What does it cost to end one long delay of very many and to begin another?</summary>
internal sealed class Reconnecting : Workload
{
    private const int PairsPerProcessor = 500_000;

    // A prime, so that a thread closes each of its connections before it closes one again, and not in sequence.
    private const int Step = 7_919;

    internal override string Name => "partitioned-reconnect";

    internal override string Question =>
        $"What does it cost to cancel a delay of {Renewals.Interval.TotalSeconds:0} s and to begin it again, with one "
        + $"for each of {ConnectionKinds.Count:N0} connections, on a thread for each processor that keeps its share of "
        + "them?";

    internal override string ComparedBy => "wall time";

    internal override bool IsSlow => true;

    internal override bool CountsLockWaits => true;

    internal override int MostRounds => 3;

    internal override IReadOnlyList<Contestant> Contestants(Scale scale) =>
        ConnectionKinds.Contestants((_, connections) => Run(connections, PairsPerProcessor / scale.Divisor));

    private static Measurement Run(Connection[] connections, int pairs)
    {
        var each = connections.Length / Environment.ProcessorCount;
        var threads = 0;
        var measured = ThreadLoops.Run(Environment.ProcessorCount, pairs, () =>
        {
            var first = each * (Interlocked.Increment(ref threads) - 1);
            var next = 0;
            foreach (var connection in connections.AsSpan(first, each))
            {
                connection.Open(Renewals.Interval);
            }

            return count =>
            {
                for (var i = 0; i < count; i++)
                {
                    connections[first + next].Restart(Renewals.Interval);
                    next = (next + Step) % each;
                }
            };
        });
        Array.ForEach(connections[..(each * threads)], static connection => connection.Close());
        return measured;
    }
}
