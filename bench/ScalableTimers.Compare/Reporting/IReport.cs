using ScalableTimers.Compare.Aims;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Reporting;

/// <summary>Reports a run while it continues.</summary>
internal interface IReport
{
    void Begin(Machine machine, Scale scale);

    void Add(WorkloadResult result);

    /// <summary>The last call. The outcomes are of the aims whose workloads were all run.</summary>
    void End(IReadOnlyList<AimOutcome> outcomes);
}
