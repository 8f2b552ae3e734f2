using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Aims;

/// <summary>A limit for one figure of a run.</summary>
/// <param name="Workload">The workload of the figure.</param>
/// <param name="Value">The figure: a ratio or a median over the rounds.</param>
/// <param name="Unit">The text after the figure.</param>
/// <param name="IsReached">Whether the figure is within the limit.</param>
internal sealed record Condition(
    string Workload, Func<WorkloadResult, double> Value, string Unit, Func<double, bool> IsReached)
{
    /// <summary>How far from its floor a figure may stay.</summary>
    private const double NearFloor = 1.2;

    /// <summary>
    /// Gets the figure of the least that the task takes: without any timer, or with the simplest of the same
    /// resolution. A figure near it is good enough, whatever the limit. Null where there is none.
    /// </summary>
    public Func<WorkloadResult, double>? Floor { get; init; }

    /// <summary>
    /// Gets the same figure with <see cref="FiringMode.DriverThread"/>; null where timers do not fire.
    /// </summary>
    public Func<WorkloadResult, double>? OnDriverThread { get; init; }

    internal static Condition AtLeast(double limit, string workload, Func<WorkloadResult, double> value, string unit) =>
        new(workload, value, unit, figure => figure >= limit);

    internal static Condition AtMost(double limit, string workload, Func<WorkloadResult, double> value, string unit) =>
        new(workload, value, unit, figure => figure <= limit);

    internal (string Text, bool IsReached, bool IsReachedByOption) Judge(
        IReadOnlyDictionary<string, WorkloadResult> results)
    {
        var result = results[Workload];
        var figure = Value(result);
        var floor = Floor?.Invoke(result);
        bool IsEnough(double reached) => IsReached(reached) || (floor > 0 && reached * NearFloor >= floor);
        var byOption = OnDriverThread?.Invoke(result);
        var text = $"{Figure.Text(figure)} {Unit}"
            + (byOption is null ? "" : $", {Figure.Text(byOption.Value)} with {nameof(FiringMode.DriverThread)}")
            + (floor is null ? "" : $" (floor {Figure.Text(floor.Value)})");
        return (text, IsEnough(figure), IsEnough(byOption ?? figure));
    }
}
