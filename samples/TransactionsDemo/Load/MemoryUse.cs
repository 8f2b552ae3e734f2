using System.Diagnostics;

namespace TransactionsDemo.Load;

/// <summary>The memory of the whole process.</summary>
/// <param name="PeakWorkingSetBytes">The most that it has held of the machine's memory so far.</param>
/// <param name="LiveBytes">What is left after a garbage collection: pending timers, grains, the load's figures.</param>
internal readonly record struct MemoryUse(long PeakWorkingSetBytes, long LiveBytes)
{
    /// <summary>Collects garbage, and waits for it.</summary>
    public static MemoryUse Measure()
    {
        using var process = Process.GetCurrentProcess();
        var peak = process.PeakWorkingSet64;
        GC.Collect();
        return new MemoryUse(peak, GC.GetTotalMemory(forceFullCollection: false));
    }
}
