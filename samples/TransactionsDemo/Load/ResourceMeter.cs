namespace TransactionsDemo.Load;

/// <summary>Measures what the whole process uses.</summary>
internal readonly struct ResourceMeter
{
    private readonly TimeSpan _cpuTime;
    private readonly long _allocatedBytes;

    private ResourceMeter(TimeSpan cpuTime, long allocatedBytes)
    {
        _cpuTime = cpuTime;
        _allocatedBytes = allocatedBytes;
    }

    public TimeSpan CpuTime => Environment.CpuUsage.TotalTime - _cpuTime;

    public long AllocatedBytes => GC.GetTotalAllocatedBytes() - _allocatedBytes;

    public static ResourceMeter Start() => new(Environment.CpuUsage.TotalTime, GC.GetTotalAllocatedBytes());
}
