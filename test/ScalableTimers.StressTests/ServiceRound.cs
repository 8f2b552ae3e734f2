using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>One service under load until it is disposed.</summary>
internal sealed class ServiceRound
{
    private const int Threads = 3;
    private const int MostOperations = 1_000_000;

    private readonly string _phase;
    private readonly Random _random;
    private readonly TimerService _service;
    private readonly Ledger _callbacks;
    private readonly Ledger _delays;
    private readonly CancelSource _stop;
    private readonly CancelSource _dispose;
    private readonly List<TrackedITimer>[] _timers = new List<TrackedITimer>[Threads];

    public ServiceRound(int number)
    {
        _phase = $"round {number}";
        _random = Stress.NewRandom(number);
        _service = Stress.NewService((DriverChoice)(number % 3), number % 5 == 0 ? 10 : 1);
        _callbacks = new Ledger(_phase + ", callbacks");
        _delays = new Ledger(_phase + ", delays");
        _stop = new CancelSource(() => _service.StopAsync());
        _dispose = new CancelSource(number % 2 == 0 ? _service.Dispose : DisposeAndWait);
    }

    internal async Task RunAsync()
    {
        var beforeStop = _random.Next(4) == 0 ? 0 : _random.Next(20);
        var stopsFirst = _random.Next(3) > 0;
        var fromCallback = _random.Next(3) == 0;

        // These timers begin before the service can end, so they belong to the service and are never early.
        var tasks = Task.WhenAll(Enumerable.Range(0, 100).Select(_ => DelayTaskAsync(_random.Next(1, 40))));
        StressThreads.Run(_phase, Threads + 1, thread =>
        {
            if (thread < Threads)
            {
                Load(_timers[thread] = [], new Random(_random.Next() + thread));
                return;
            }

            Thread.Sleep(beforeStop);
            if (stopsFirst)
            {
                _stop.Cancel();
                Thread.Sleep(beforeStop / 2);
            }

            DisposeService(fromCallback);
        });
        await Stress.WaitFor(_phase, _service.DisposeAsync().AsTask(), "TimerService.DisposeAsync.");
        await Stress.WaitFor(_phase, tasks, "tasks of Task.Delay over the provider.");
        Offenders.FailIfAny(_phase + ", Task.Delay", await tasks);
        Verify();
    }

    private async Task<string?> DelayTaskAsync(int milliseconds)
    {
        var notBefore = StressTime.In(TimeSpan.FromMilliseconds(milliseconds));
        await Task.Delay(TimeSpan.FromMilliseconds(milliseconds), _service.TimeProvider).ConfigureAwait(false);
        return StressTime.IsOver(notBefore) ? null : $"Task.Delay of {milliseconds} ms ended early";
    }

    /// <summary>Disposes the service. When a callback calls this, it must not wait for that callback.</summary>
    private void DisposeAndWait()
    {
        if (!_service.DisposeAsync().AsTask().Wait(Stress.Guard))
        {
            Stress.Fail(_phase, "DisposeAsync does not end.");
        }
    }

    private void DisposeService(bool fromCallback)
    {
        if (!fromCallback)
        {
            _dispose.Cancel();
            return;
        }

        using var disposed = new ManualResetEventSlim();
        _ = _service.Schedule(
            _ =>
            {
                _dispose.Cancel();
                disposed.Set();
            },
            null,
            TimeSpan.Zero);
        if (!disposed.Wait(Stress.Guard * 2))
        {
            Stress.Fail(_phase, "the callback that disposes the service did not run to its end.");
        }
    }

    private void Load(List<TrackedITimer> timers, Random random)
    {
        var (callbacks, delays) = (_callbacks.NewPart(), _delays.NewPart());
        try
        {
            for (var i = 1; i < MostOperations; i++)
            {
                if (i % 250 == 0)
                {
                    // Lets the stopping thread run. On a busy machine that takes longer.
                    Thread.Sleep(i < MostOperations / 2 ? 1 : 20);
                }

                var dueTime = StressTime.UpTo(random.Next(4) == 0 ? 300 : 5, random) + TimeSpan.FromTicks(1);
                switch (random.Next(8))
                {
                    case 0:
                        Start(delays, delay => delay.StartTry(_service, dueTime, default));
                        break;
                    case 1:
                        if (random.Next(4) == 0)
                        {
                            Start(delays, delay => delay.StartThrowing(_service, dueTime, default));
                        }

                        break;
                    case 2:
                        // The due time is short enough that the round can wait for timers that the clock takes
                        // over.
                        timers.Add(new TrackedITimer(_service.TimeProvider, StressTime.UpTo(40, random)));
                        break;
                    case 3:
                        _ = ((TrackedTimer?)callbacks.LastOrDefault())?.Cancel();
                        break;
                    default:
                        var timer = new TrackedTimer(_callbacks);
                        timer.Schedule(_service, dueTime);
                        callbacks.Add(timer);
                        break;
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // This is the end of the round. The timer that was being started is refused, so it is in no list. The
            // provider continues with the clock's own timers.
            timers.Add(new TrackedITimer(_service.TimeProvider, StressTime.UpTo(5, random)));
            return;
        }

        Stress.Fail(
            _phase,
            $"{MostOperations} operations, and to this thread the service is not disposed, "
            + $"{_service.GetSnapshot()}");
    }

    private void Start(List<Tracked> delays, Action<TrackedDelay> start)
    {
        var delay = new TrackedDelay(_delays, _stop, _dispose);
        start(delay);
        delays.Add(delay);
    }

    private void Verify()
    {
        var timers = _timers.SelectMany(static mine => mine).ToList();
        _delays.WaitForAll();
        Stress.WaitUntil(_phase, () => timers.TrueForAll(static timer => timer.HasFiredLast), () =>
            $"{timers.Count(static timer => !timer.HasFiredLast)} of {timers.Count} provider timers are lost.");

        // A timer that the clock has taken over can be armed again.
        timers.ForEach(timer => timer.Change(StressTime.UpTo(5, _random)));
        Stress.WaitUntil(_phase, () => timers.TrueForAll(static timer => timer.HasFiredLast), () =>
            $"{timers.Count(static timer => !timer.HasFiredLast)} of {timers.Count} provider timers do not fire "
            + "after a change.");
        var callbacks = _callbacks.Verify(mayBeOpen: true);
        _ = _delays.Verify();
        Offenders.FailIfAny(_phase + ", provider timers", timers.Select(static timer => timer.Fault()));

        var counted = _service.GetSnapshot();
        var sum = counted.Fired + counted.Cancelled + counted.Dropped + counted.HandedOver;
        if (counted.Pending != 0
            || counted.Scheduled != sum
            || counted.Dropped != callbacks.Open
            || counted.Failed != 0)
        {
            Stress.Fail(
                _phase, $"expected nothing pending, {sum} scheduled and {callbacks.Open} dropped, got {counted}");
        }
    }
}
