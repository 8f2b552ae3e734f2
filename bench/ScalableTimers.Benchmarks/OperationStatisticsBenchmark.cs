using BenchmarkDotNet.Attributes;

namespace ScalableTimers.Benchmarks;

/// <summary>What does it cost to count an operation and its duration?</summary>
[MemoryDiagnoser]
public class OperationStatisticsBenchmark
{
    private static readonly TimeSpan s_duration = TimeSpan.FromMicroseconds(150);
    private readonly OperationStatistics _statistics = new();
    private readonly Lock _lock = new();
    private readonly (long Count, TimeSpan Total, TimeSpan Longest)[] _figures = new (long, TimeSpan, TimeSpan)[16];
    private Operation? _operation;

    [GlobalSetup]
    public void Setup() => _operation = _statistics.Register("an operation");

    [GlobalCleanup]
    public void Cleanup() => _statistics.Dispose();

    [Benchmark(Baseline = true)]
    public void ArrayUnderLock()
    {
        lock (_lock)
        {
            ref var figures = ref _figures[7];
            figures.Count++;
            figures.Total += s_duration;
            figures.Longest = s_duration > figures.Longest ? s_duration : figures.Longest;
        }
    }

    [Benchmark]
    public void Add() => _statistics.Add(_operation!, s_duration);
}
