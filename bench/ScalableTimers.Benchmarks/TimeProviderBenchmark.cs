using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;

namespace ScalableTimers.Benchmarks;

/// <summary>What do .NET's own types cost, unused, when the service keeps time for them?</summary>
[MemoryDiagnoser]
[GroupBenchmarksBy(BenchmarkLogicalGroupRule.ByCategory)]
[CategoriesColumn]
public class TimeProviderBenchmark
{
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(30);
    private readonly TimerService _service = new();

    [GlobalCleanup]
    public void Cleanup() => _service.Dispose();

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("Task.Delay")]
    public bool SystemDelay() => Delay(TimeProvider.System);

    [Benchmark]
    [BenchmarkCategory("Task.Delay")]
    public bool ScalableDelay() => Delay(_service.TimeProvider);

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("CancellationTokenSource")]
    public void SystemSource() => new CancellationTokenSource(s_dueTime, TimeProvider.System).Dispose();

    [Benchmark]
    [BenchmarkCategory("CancellationTokenSource")]
    public void ScalableSource() => new CancellationTokenSource(s_dueTime, _service.TimeProvider).Dispose();

    [Benchmark(Baseline = true)]
    [BenchmarkCategory("WaitAsync")]
    public bool SystemWait() => Wait(TimeProvider.System);

    [Benchmark]
    [BenchmarkCategory("WaitAsync")]
    public bool ScalableWait() => Wait(_service.TimeProvider);

    private static bool Delay(TimeProvider clock)
    {
        using var source = new CancellationTokenSource();
        var delay = Task.Delay(s_dueTime, clock, source.Token);
        source.Cancel();
        return delay.IsCanceled;
    }

    private static bool Wait(TimeProvider clock)
    {
        var work = new TaskCompletionSource();
        var bounded = work.Task.WaitAsync(s_dueTime, clock);
        work.SetResult();
        return bounded.IsCompletedSuccessfully;
    }
}
