using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// One service under load, until several threads and callbacks dispose it at once. Tokens and timers of its provider
/// are begun until after that, and outlive it.
/// </summary>
internal sealed class ServiceRound
{
    private const int Threads = 3;
    private const int Disposers = 2;
    private const int MostOperations = 1_000_000;

    private readonly string _phase;
    private readonly bool _isStarved;
    private readonly Random _random;
    private readonly TimerService _service;
    private readonly Ledger _callbacks;
    private readonly Ledger _delays;
    private readonly CancelSource _stop;
    private readonly CancelSource _dispose;
    private readonly List<TrackedITimer>[] _timers = new List<TrackedITimer>[Threads];
    private readonly Shelf<TrackedTimer> _shelf = new(64);
    private readonly Shelf<TrackedToken> _tokens = new(32);
    private volatile string? _fault;

    /// <param name="number">Chooses how the service is driven and disposed.</param>
    /// <param name="isStarved">Whether the pool is blocked while the service is used.</param>
    public ServiceRound(int number, bool isStarved = false)
    {
        _isStarved = isStarved;
        _phase = $"round {number}";
        _random = Stress.NewRandom(number);
        _service = Stress.NewService(
            (TimerServiceDriver)(number % 2), number % 5 == 0 ? 10 : 1, tokenBucketMilliseconds: 1);
        _callbacks = new Ledger(_phase + ", callbacks");
        _delays = new Ledger(_phase + ", delays");
        _stop = new CancelSource(() => Wait(_service.StopAsync(), "StopAsync"));
        _dispose = new CancelSource(number % 2 == 0 ? _service.Dispose : DisposeAndWait);
    }

    internal async Task RunAsync()
    {
        var beforeStop = _random.Next(4) == 0 ? 0 : _random.Next(20);
        var stopsFirst = _random.Next(3) > 0;
        var byCallback = _random.Next(4);

        if (_isStarved)
        {
            BlockThePool();
        }

        // .NET's types on the provider start before the service can end, and outlive it.
        for (var i = 0; i < 100; i++)
        {
            _delays.Add(new TrackedProviderUse(_delays)).Start(_service.TimeProvider, _random, _random.Next(1, 40));
        }

        StressThreads.Run(_phase, Threads + Disposers, thread =>
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

            DisposeService((byCallback >> (thread - Threads)) % 2 == 1);
        });
        await Stress.WaitFor(_phase, _service.DisposeAsync().AsTask(), "TimerService.DisposeAsync.");
        Verify();
    }

    // With more items than the pool adds threads for in that time.
    private static void BlockThePool()
    {
        var until = StressTime.In(TimeSpan.FromSeconds(0.3));
        ThreadPool.GetMinThreads(out var workers, out _);
        for (var i = 0; i < workers + 16; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                until => SpinWait.SpinUntil(() => StressTime.IsOver(until)), until, preferLocal: false);
        }
    }

    /// <summary>Disposes the service. This must not wait for the callback that calls it.</summary>
    private void DisposeAndWait() => Wait(_service.DisposeAsync().AsTask(), "DisposeAsync");

    private void Wait(Task task, string what) => _fault = task.Wait(Stress.Guard) ? _fault : $"{what} does not end.";

    private void DisposeService(bool fromCallback)
    {
        if (!fromCallback)
        {
            _dispose.Cancel();
            return;
        }

        try
        {
            _ = _service.Schedule(_ => _dispose.Cancel(), null, TimeSpan.Zero);
        }
        catch (ObjectDisposedException)
        {
            return;
        }

        // The other thread may dispose the service first, which drops the callback.
        Stress.WaitUntil(_phase, () => _service.IsDisposed, () => "the callback that disposes has not run.");
    }

    private void Load(List<TrackedITimer> timers, Random random)
    {
        TrackedTimer? last = null;
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
                switch (random.Next(32))
                {
                    case < 4:
                        Start(delay => delay.StartTry(_service, dueTime, default));
                        break;
                    case 4:
                        Start(delay => delay.StartThrowing(_service, dueTime, default));
                        break;
                    case < 7:
                        UseToken(random);
                        break;
                    case < 9:
                        // Short enough for the round to wait for timers that outlive the service.
                        timers.Add(new TrackedITimer(_service.TimeProvider, StressTime.UpTo(40, random)));
                        break;
                    case < 12:
                        // Usually another thread's timer, which the disposal may still have to unlink.
                        _ = _shelf.Exchange(null)?.Cancel();
                        break;
                    case < 15:
                        _ = last?.Reschedule(dueTime);
                        break;
                    default:
                        var timer = new TrackedTimer(_callbacks);
                        timer.Schedule(_service, dueTime);
                        last = _callbacks.Add(timer);
                        _ = _shelf.Exchange(timer)?.Cancel();
                        break;
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // The round is over. The timer being started was refused, so no list has it. The provider's timers outlive
            // the service, even those created now.
            timers.Add(new TrackedITimer(_service.TimeProvider, StressTime.UpTo(5, random)));
            for (var i = 0; i < 50; i++)
            {
                UseToken(random);
            }

            return;
        }

        Stress.Fail(_phase, $"{MostOperations} operations, and the service is not disposed, {_service.GetSnapshot()}");
    }

    private void Start(Action<TrackedDelay> start)
    {
        var delay = new TrackedDelay(_delays, _stop, _dispose);
        start(delay);
        _delays.Add(delay);
    }

    /// <summary>Registers with a token. The thread that finds it on the shelf ends it, unless it has ended.</summary>
    private void UseToken(Random random)
    {
        var token = _delays.Add(new TrackedToken(_delays));
        token.Register(_service, StressTime.UpTo(30, random) + TimeSpan.FromTicks(1));
        _tokens.Exchange(token)?.End();
    }

    private void Verify()
    {
        var timers = _timers.SelectMany(static mine => mine).ToList();
        _delays.WaitForAll();
        TrackedITimer.WaitForLast(_phase, timers);

        // A timer that has outlived its service can be armed again.
        timers.ForEach(timer => timer.Change(StressTime.UpTo(5, _random)));
        TrackedITimer.WaitForLast(_phase, timers);
        _callbacks.Verify(mayBeOpen: true);
        _delays.Verify();
        TrackedITimer.Verify(_phase + ", provider timers", timers);

        // DisposeAsync does not wait for a worker whose callback calls it. That worker counts what it ran as it leaves.
        // And a shared token outlives its registrations.
        Stress.WaitUntil(
            _phase,
            () => _service.GetSnapshot() is { InFlight: 0, TimeoutTokens: 0 },
            () => $"{_service.GetSnapshot()}");
        var counted = _service.GetSnapshot();
        if (_fault is not null
            || counted.Pending + counted.Failed != 0
            || counted.Scheduled != counted.Fired + counted.Skipped + counted.Cancelled + counted.Dropped
            || counted.Dropped < _callbacks.Open
            || counted.Dropped > _callbacks.Open + Disposers)
        {
            Stress.Fail(_phase, $"{_fault} expected nothing pending and {_callbacks.Open} dropped, got {counted}");
        }
    }
}
