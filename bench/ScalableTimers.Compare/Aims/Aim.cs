using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Aims;

/// <summary>The aim of a workload, and the conditions that decide whether it is reached.</summary>
internal sealed record Aim(string Subject, string Text, params Condition[] Conditions)
{
    /// <summary>Whether all the workloads were run.</summary>
    internal bool CanBeJudged(IReadOnlyDictionary<string, WorkloadResult> results) =>
        Conditions.All(condition => results.ContainsKey(condition.Workload));

    internal AimOutcome Judge(IReadOnlyDictionary<string, WorkloadResult> results)
    {
        var judged = Conditions.Select(condition => condition.Judge(results)).ToList();
        var isReached = judged.All(static condition => condition.IsReached);
        var isReachedByOption = judged.All(static condition => condition.IsReachedByOption);
        return new AimOutcome(
            Subject,
            Text,
            string.Join("; ", judged.Select(static condition => condition.Text)),
            isReached || isReachedByOption,
            isReachedByOption && !isReached);
    }
}
