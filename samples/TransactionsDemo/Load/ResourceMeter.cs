namespace TransactionsDemo.Load;

/// <summary>Measures what the whole process uses.</summary>
internal readonly struct ResourceMeter
{
    private readonly TimeSpan _cpuTime;
    private readonly long _allocatedBytes;
    private readonly long _lockContentions;

    private ResourceMeter(TimeSpan cpuTime, long allocatedBytes, long lockContentions)
    {
        _cpuTime = cpuTime;
        _allocatedBytes = allocatedBytes;
        _lockContentions = lockContentions;
    }

    public TimeSpan CpuTime => Environment.CpuUsage.TotalTime - _cpuTime;

    public long AllocatedBytes => GC.GetTotalAllocatedBytes() - _allocatedBytes;

    /// <summary>How often a thread had to wait for a lock of .NET's.</summary>
    public long LockContentions => Monitor.LockContentionCount - _lockContentions;

    public static ResourceMeter Start() => new(
        Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes(), Monitor.LockContentionCount);
}
