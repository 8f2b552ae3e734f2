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
        var figure = Value(results[Workload]);
        var text = $"{Figure.Text(figure)} {Unit}";
        if (OnDriverThread is null)
        {
            return (text, IsReached(figure), IsReached(figure));
        }

        var byOption = OnDriverThread(results[Workload]);
        return (
            $"{text}, {Figure.Text(byOption)} with {nameof(FiringMode.DriverThread)}",
            IsReached(figure),
            IsReached(byOption));
    }
}
