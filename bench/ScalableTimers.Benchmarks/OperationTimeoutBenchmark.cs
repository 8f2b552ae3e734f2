using BenchmarkDotNet.Attributes;

namespace ScalableTimers.Benchmarks;

/// <summary>What does a token cost that would bound an operation which ends in time?</summary>
[MemoryDiagnoser]
public class OperationTimeoutBenchmark
{
    private static readonly Action<object?> s_ignore = static _ => { };
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);
    private readonly TimerService _service = new();

    [GlobalCleanup]
    public void Cleanup() => _service.Dispose();

    [Benchmark(Baseline = true)]
    public void NewSource()
    {
        using var source = new CancellationTokenSource(s_timeout);
        Use(source.Token);
    }

    [Benchmark]
    public void RentTimeout()
    {
        using var lease = _service.RentTimeout(s_timeout);
        Use(lease.Token);
    }

    [Benchmark]
    public void GetTimeoutToken() => Use(_service.GetTimeoutToken(s_timeout));

    // Shared tokens outlive the operation, so the registration must not.
    private static void Use(CancellationToken token) => token.UnsafeRegister(s_ignore, null).Dispose();
}
