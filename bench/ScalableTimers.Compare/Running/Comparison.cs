namespace ScalableTimers.Compare.Running;

/// <summary>
/// Runs the contestants of a workload in alternating rounds, because the machine's speed changes over time.
/// </summary>
/// <remarks>Each run starts after a garbage collection.</remarks>
internal static class Comparison
{
    internal static WorkloadResult Run(Workload workload, Scale scale)
    {
        var contestants = workload.Contestants(scale);
        try
        {
            if (!workload.HasOwnProcesses)
            {
                _ = RunRound(workload, contestants, scale);
            }

            var rounds = Enumerable.Range(0, Math.Min(workload.Rounds, scale.Rounds))
                .Select(_ => RunRound(workload, contestants, scale))
                .ToList();
            var names = contestants.Select(one => (one.Name, one.Against ?? contestants[0].Name)).ToList();
            return new WorkloadResult(workload, names, rounds);
        }
        finally
        {
            foreach (var contestant in contestants)
            {
                contestant.Owned?.Dispose();
            }
        }
    }

    private static Dictionary<string, Measurement> RunRound(
        Workload workload, IReadOnlyList<Contestant> contestants, Scale scale)
    {
        var measured = new Dictionary<string, Measurement>();
        foreach (var contestant in contestants)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            measured.Add(
                contestant.Name,
                workload.HasOwnProcesses ? ChildProcess.Run(workload, contestant, scale) : contestant.Run());
        }

        return measured;
    }
}
