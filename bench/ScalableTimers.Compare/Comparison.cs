namespace ScalableTimers.Compare;

/// <summary>Runs the contestants of a workload in alternating rounds, because the machine's speed changes under them.</summary>
internal static class Comparison
{
    internal static IReadOnlyList<(string Name, IReadOnlyList<Measurement> Rounds)> Run(Workload workload, Scale scale)
    {
        var contestants = workload.Contestants(scale);
        var rounds = contestants.Select(static _ => new List<Measurement>()).ToList();
        for (var round = -1; round < scale.Rounds; round++)
        {
            for (var i = 0; i < contestants.Count; i++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                var measurement = contestants[i].Run();
                if (round >= 0)
                {
                    rounds[i].Add(measurement);
                }
            }
        }

        return [.. contestants.Zip(rounds, static (contestant, measured) => (contestant.Name, (IReadOnlyList<Measurement>)measured))];
    }
}
