namespace ScalableTimers.Compare.Workloads.Statistics;

/// <summary>A row with its own cache lines and a spin lock, which is on them too.</summary>
internal sealed class SpinLockedRow : Row
{
    // Must not be read-only: a copy of the lock would be locked.
    internal SpinLock Lock = new(enableThreadOwnerTracking: false);

    internal PaddedRow.Padding After { get; }
}
