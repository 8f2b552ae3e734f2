using BenchmarkDotNet.Attributes;

namespace ScalableTimers.Benchmarks;

/// <summary>
/// What does a delay cost that a token ends, without an exception, and how much of that is the token's?
/// </summary>
[MemoryDiagnoser]
public class TryDelayThenCancelBenchmark
{
    private static readonly Action<object?> s_ignore = static _ => { };
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(30);
    private readonly TimerService _service = new();

    [GlobalCleanup]
    public void Cleanup() => _service.Dispose();

    [Benchmark(Baseline = true)]
    public bool TaskDelay()
    {
        using var source = new CancellationTokenSource();
        var delay = Task.Delay(s_dueTime, source.Token);
        source.Cancel();
        return delay.IsCanceled;
    }

    [Benchmark]
    public bool TryDelay()
    {
        using var source = new CancellationTokenSource();
        var delay = _service.TryDelay(s_dueTime, source.Token);
        source.Cancel();
        return delay.IsCompletedSuccessfully && delay.Result;
    }

    /// <summary>The cost that is subtracted from the others.</summary>
    [Benchmark]
    public bool SourceAlone()
    {
        using var source = new CancellationTokenSource();
        _ = source.Token.UnsafeRegister(s_ignore, null);
        source.Cancel();
        return source.IsCancellationRequested;
    }
}
