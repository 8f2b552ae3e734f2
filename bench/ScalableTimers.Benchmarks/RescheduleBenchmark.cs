using BenchmarkDotNet.Attributes;

namespace ScalableTimers.Benchmarks;

/// <summary>What does it cost to give a pending timer another due time?</summary>
[MemoryDiagnoser]
public class RescheduleBenchmark
{
    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_dueTime = TimeSpan.FromSeconds(30);
    private readonly TimerService _service = new();
    private readonly Timer _systemTimer = new(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan);
    private ITimer? _scalableTimer;
    private ScheduledTimer _scheduled;
    private int _calls;

    [GlobalSetup]
    public void Setup()
    {
        _scalableTimer = _service.TimeProvider.CreateTimer(s_ignore, null, s_dueTime, Timeout.InfiniteTimeSpan);
        _scheduled = _service.Schedule(s_ignore, null, s_dueTime);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _systemTimer.Dispose();
        _service.Dispose();
    }

    [Benchmark(Baseline = true)]
    public bool SystemTimerChange() => _systemTimer.Change(NextDueTime(), Timeout.InfiniteTimeSpan);

    [Benchmark]
    public bool Reschedule() => _scheduled.Reschedule(NextDueTime());

    [Benchmark]
    public bool ScalableTimerChange() => _scalableTimer!.Change(NextDueTime(), Timeout.InfiniteTimeSpan);

    private TimeSpan NextDueTime() => new(s_dueTime.Ticks + ((_calls++ & 63) * TimeSpan.TicksPerMillisecond));
}
