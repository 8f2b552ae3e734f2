namespace ScalableTimers.Compare.Running;

/// <summary>
/// Runs the contestants of a workload in alternating rounds, because the machine's speed changes over time.
/// </summary>
/// <remarks>Each run begins with a collected heap.</remarks>
internal static class Comparison
{
    internal static WorkloadResult Run(Workload workload, Scale scale)
    {
        var contestants = workload.Contestants(scale);
        string Rival(Contestant contestant) =>
            workload.ComparedBy is null ? contestant.Name : contestant.Against ?? contestants[0].Name;
        try
        {
            if (workload.IsWarmedUp)
            {
                _ = RunRound(workload, contestants);
            }

            var count = Math.Min(workload.MostRounds, workload.IsSlow ? scale.SlowRounds : scale.Rounds);
            var rounds = Enumerable.Range(0, count)
                .Select(_ => RunRound(workload, contestants))
                .ToList();
            return new WorkloadResult(
                workload, [.. contestants.Select(contestant => ResultOf(contestant, Rival(contestant), rounds))]);
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
        Workload workload, IReadOnlyList<Contestant> contestants)
    {
        var measured = new Dictionary<string, Measurement>();
        foreach (var contestant in contestants)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            var round = contestant.Run();
            measured.Add(
                contestant.Name,
                workload.CountsLockWaits && contestant.HasCountedLocks ? round : round with { LockWaits = double.NaN });
        }

        foreach (var contestant in contestants.Where(static contestant => contestant.Without is not null))
        {
            var whole = measured[contestant.Name];
            var net = whole.Without(measured[contestant.Without!]);
            measured[contestant.Name] = workload.ComparesNet ? net : net with { Compared = whole.Compared };
        }

        return measured;
    }

    private static ContestantResult ResultOf(
        Contestant contestant, string against, IReadOnlyList<Dictionary<string, Measurement>> rounds)
    {
        var own = rounds.Select(round => round[contestant.Name]).ToList();
        if (against == contestant.Name)
        {
            return new ContestantResult(contestant.Name, Against: null, own, Ratios: []);
        }

        // A difference that is not positive is chance, and so is a ratio of it.
        var ratios = rounds.Where(round => round[against].Compared > 0 && round[contestant.Name].Compared > 0)
            .Select(round => round[against].Compared / round[contestant.Name].Compared)
            .Order()
            .ToList();
        return new ContestantResult(contestant.Name, against, own, ratios);
    }
}
