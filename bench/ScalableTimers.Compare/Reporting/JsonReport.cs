using System.Text.Json;
using ScalableTimers.Compare.Aims;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Reporting;

/// <summary>Prints one JSON document at the end: the machine, and every round of every contestant.</summary>
internal sealed class JsonReport(TextWriter output) : IReport
{
    private static readonly JsonSerializerOptions s_options = new(JsonSerializerDefaults.Web) { WriteIndented = true };

    private readonly List<object> _workloads = [];
    private Machine? _machine;
    private bool _isQuick;

    public void Begin(Machine machine, Scale scale)
    {
        _machine = machine;
        _isQuick = scale.Divisor == Scale.Quick.Divisor;
    }

    public void Add(WorkloadResult result) => _workloads.Add(new
    {
        result.Workload.Name,
        result.Workload.Question,
        result.Workload.ComparedBy,
        Contestants = result.Contestants.Select(static contestant => new
        {
            contestant.Name,
            contestant.Against,
            Ratio = contestant.Against is null ? (double?)null : Finite(contestant.Ratio),
            Ratios = contestant.Ratios.Select(Finite),
            Rounds = contestant.Rounds.Select(static round => Column.All
                .Where(column => double.IsFinite(column.Value(round)))
                .ToDictionary(static column => column.Key, column => column.Value(round))),
        }),
    });

    public void End(IReadOnlyList<AimOutcome> outcomes) => output.WriteLine(JsonSerializer.Serialize(
        new { Machine = _machine, IsQuick = _isQuick, Workloads = _workloads, Targets = outcomes },
        s_options));

    // JSON can only write finite numbers.
    private static double? Finite(double value) => double.IsFinite(value) ? value : null;
}
