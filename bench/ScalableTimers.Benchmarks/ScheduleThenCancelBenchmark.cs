using BenchmarkDotNet.Attributes;

namespace ScalableTimers.Benchmarks;

/// <summary>What does an unused timeout cost while many other timers are pending?</summary>
[MemoryDiagnoser]
public class ScheduleThenCancelBenchmark
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(30);
    private readonly TimerService _service = new();
    private ITimer[] _pending = [];

    [Params(0, 10_000, 1_000_000)]
    public int PendingTimers { get; set; }

    [GlobalSetup(Target = nameof(SystemTimer))]
    public void SetupSystem() => Fill(TimeProvider.System);

    [GlobalSetup(Targets = [nameof(Schedule), nameof(ScalableTimer)])]
    public void SetupScalable() => Fill(_service.TimeProvider);

    [GlobalCleanup]
    public void Cleanup() => Array.ForEach(_pending, static timer => timer.Dispose());

    [Benchmark(Baseline = true)]
    public void SystemTimer() =>
        TimeProvider.System.CreateTimer(s_ignore, null, s_timeout, Timeout.InfiniteTimeSpan).Dispose();

    [Benchmark]
    public bool Schedule() => _service.Schedule(s_ignore, null, s_timeout).Cancel();

    [Benchmark]
    public void ScalableTimer() =>
        _service.TimeProvider.CreateTimer(s_ignore, null, s_timeout, Timeout.InfiniteTimeSpan).Dispose();

    private void Fill(TimeProvider timers)
    {
        _pending = new ITimer[PendingTimers];
        for (var i = 0; i < _pending.Length; i++)
        {
            _pending[i] = timers.CreateTimer(s_ignore, null, TimeSpan.FromHours(1), Timeout.InfiniteTimeSpan);
        }
    }
}
