using BenchmarkDotNet.Attributes;

namespace ScalableTimers.Benchmarks;

/// <summary>What does an awaited delay cost that a token ends, the exception included?</summary>
[MemoryDiagnoser]
public class DelayThenCancelBenchmark
{
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(30);
    private readonly TimerService _service = new();

    [GlobalCleanup]
    public void Cleanup() => _service.Dispose();

    [Benchmark(Baseline = true)]
    public async Task<bool> TaskDelay()
    {
        using var source = new CancellationTokenSource();
        var delay = Task.Delay(s_dueTime, source.Token);
        source.Cancel();
        try
        {
            await delay;
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }

    [Benchmark]
    public async Task<bool> Delay()
    {
        using var source = new CancellationTokenSource();
        var delay = _service.Delay(s_dueTime, source.Token);
        source.Cancel();
        try
        {
            await delay;
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
