using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Timers;
using ScalableTimers.Tests.Queues;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// Timers and their models side by side, on one thread. Expired timers run when the sequence says so, nested in any
/// way.
/// </summary>
internal sealed class ChangeableTimerModelRun : IDisposable
{
    internal const int Timers = 3;
    private const int DeepestNesting = 20;

    private readonly HandClock _clock = new();
    private readonly TimerService _service;
    private readonly ITimer[] _timers;
    private readonly ChangeableTimerModel[] _models;
    private readonly int[] _started = new int[Timers];
    private readonly Queue<(int Timer, FiringItem Item)> _waiting = new();
    private readonly Queue<int> _expected = new();
    private readonly IEnumerator<ChangeableTimerOperation> _operations;
    private int _now;
    private int _depth;

    public ChangeableTimerModelRun(IEnumerable<ChangeableTimerOperation> operations)
    {
        _service = Services.OnThePool(_clock);
        _models =
        [
            new ChangeableTimerModel(tolerance: 0, mayOverlap: false),
            new ChangeableTimerModel(tolerance: 95, mayOverlap: false),
            new ChangeableTimerModel(tolerance: 0, mayOverlap: true),
        ];
        var never = Timeout.InfiniteTimeSpan;
        _timers =
        [
            _service.CreatePeriodicTimer(_ => RunCallback(0), null, never, never),
            _service.CreatePeriodicTimer(_ => RunCallback(1), null, never, never, TimeSpan.FromMilliseconds(95)),
            _service.TimeProvider.CreateTimer(_ => RunCallback(2), null, never, never),
        ];
        _operations = operations.GetEnumerator();
    }

    public void Dispose()
    {
        _service.Dispose();
        _operations.Dispose();
    }

    internal void Finish()
    {
        Run();
        Compare();
    }

    // Runs the operations until the innermost callback returns.
    private void Run()
    {
        while (_operations.MoveNext())
        {
            switch (_operations.Current)
            {
                case ChangeableTimerOperation.Change(var timer, var dueTime, var period):
                    var isChanged = _timers[timer].Change(
                        TimeSpan.FromMilliseconds(dueTime), TimeSpan.FromMilliseconds(period));
                    Assert.Equal(!_models[timer].IsDisposed, isChanged);
                    _models[timer].Change(_now, dueTime, period);
                    break;
                case ChangeableTimerOperation.Dispose(var timer):
                    _timers[timer].Dispose();
                    _models[timer].Dispose();
                    break;
                case ChangeableTimerOperation.Advance(var duration):
                    Advance(duration);
                    break;
                case ChangeableTimerOperation.Begin when _waiting.Count > 0 && _depth < DeepestNesting:
                    Begin();
                    break;
                case ChangeableTimerOperation.Return when _depth > 0:
                    return;
            }

            Compare();
        }
    }

    private void Advance(int duration)
    {
        _now += duration;
        _clock.Skip(TimeSpan.FromMilliseconds(duration));
        var nowTick = _now / 10;
        var due = _models.Index()
            .Where(model => model.Item.Tick <= nowTick)
            .Select(static model => model.Index)
            .ToHashSet();
        var expected = due.Where(timer => _models[timer].Expire(_now)).ToHashSet();
        foreach (var item in _service.CurrentQueue().TakeDue(nowTick))
        {
            _waiting.Enqueue((Identify(item), item));
            Assert.True(
                expected.Remove(_waiting.Last().Timer),
                $"Timer {_waiting.Last().Timer} expired at {_now} and should not have.");
        }

        Assert.Empty(expected);
    }

    private void Begin()
    {
        var (timer, item) = _waiting.Dequeue();
        if (_models[timer].Begin())
        {
            _expected.Enqueue(timer);
        }

        item.Fire();
        Assert.Empty(_expected);
    }

    private void RunCallback(int timer)
    {
        Assert.Equal(timer, _expected.Dequeue());
        _started[timer]++;
        _depth++;
        Run();
        _depth--;
        _models[timer].Return();
    }

    private int Identify(FiringItem item) => Array.IndexOf(_timers, (ITimer)Services.Field(item, "_state")!);

    private void Compare()
    {
        var counted = _service.GetSnapshot();
        Assert.Equal(
            (
                _models.Sum(static model => model.Scheduled),
                _models.Sum(static model => model.Cancelled),
                _models.Sum(static model => model.Skipped),
                _models.Count(static model => model.Tick is not null)),
            ((int)counted.Scheduled, (int)counted.Cancelled, (int)counted.Skipped, (int)counted.Pending));
        Assert.Equal(_models.Select(static model => model.Started), _started);
        Assert.Equal(
            _models.Select(model => Due(model.Tick)),
            _timers.Cast<ChangeableTimer>().Select(timer =>
                timer.IsLinked && timer.TryReadLocked(out var pending) ? Due(pending.DeadlineTick) : null));

        // When it was due does not matter any more.
        long? Due(long? tick) => tick is { } due ? Math.Max(due, _now / 10) : null;
    }
}
