namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>A way to keep statistics of operations. A structure, so that no call of an interface is measured.</summary>
internal interface IAdder
{
    /// <summary>Adds a run of one of four operations.</summary>
    void Add(int operation, long duration);
}
