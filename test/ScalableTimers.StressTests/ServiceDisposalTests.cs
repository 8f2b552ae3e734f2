using ScalableTimers.StressTests.Driving;

namespace ScalableTimers.StressTests;

/// <summary>Waiting for running callbacks. The waiter checks at the moment when the wait has ended.</summary>
[Trait("Category", "Stress")]
public class ServiceDisposalTests
{
    private const string Phase = "disposal";

    // Calibrated in Release on 2 cores. Without any wait, and without the second look once the waiter is published
    // (FiringDispatcher.WaitForOthersAsync), 3 of 3 runs failed each. Leaving before the firings are counted
    // (ExitWorker before AddFired in FiringBatch) failed in 2 of 6 runs of the short form and in 3 of 3 of the full
    // one.
    [Theory]
    [InlineData(DriverChoice.Thread)]
    [InlineData(DriverChoice.Timer)]
    [InlineData(DriverChoice.FiringThread)]
    public void DisposeAsync_WhileCallbacksRun_WaitsForEachAndItsCount(DriverChoice driver)
    {
        var rounds = 0;
        for (var lastRoundAt = Stress.LastRoundAt(0.5, 20); !StressTime.IsOver(lastRoundAt); rounds++)
        {
            new Round(driver, Stress.NewRandom(rounds)).Run();
        }

        Stress.Log($"{Phase}, driver {driver}: {rounds:N0} services");
    }

    /// <summary>A service that is disposed while a batch fires.</summary>
    private sealed class Round(DriverChoice driver, Random random)
    {
        private const int Timers = 100;

        private readonly TimerService _service = Stress.NewService(driver);
        private int _begun;
        private int _running;

        internal void Run()
        {
            TimerCallback callback = Fire;
            for (var i = 0; i < Timers; i++)
            {
                _ = _service.Schedule(callback, null, StressTime.UpTo(2, random));
            }

            var disposeAfter = random.Next(Timers);
            for (var giveUpAt = StressTime.In(Stress.Guard); Volatile.Read(ref _begun) < disposeAfter; Thread.Yield())
            {
                if (StressTime.IsOver(giveUpAt))
                {
                    Stress.Fail(Phase, $"expected {disposeAfter} callbacks, got {_begun}");
                }
            }

            var waiting = _service.DisposeAsync().AsTask();
            var other = random.Next(2) == 0 ? _service.DisposeAsync().AsTask() : waiting;
            for (var giveUpAt = StressTime.In(Stress.Guard); !waiting.IsCompleted; Thread.SpinWait(1))
            {
                if (StressTime.IsOver(giveUpAt))
                {
                    Stress.Fail(
                        Phase, $"DisposeAsync does not end, {_running} callbacks run, {_service.GetSnapshot()}");
                }
            }

            var (running, begun, counted) = (
                Volatile.Read(ref _running), Volatile.Read(ref _begun), _service.GetSnapshot());
            if (running != 0 || counted.Fired != begun || counted.Scheduled != counted.Fired + counted.Dropped)
            {
                Stress.Fail(
                    Phase,
                    $"expected 0 running and {begun} fired when DisposeAsync had ended, got {running} running, "
                    + $"{counted}");
            }

            if (!other.Wait(Stress.Guard))
            {
                Stress.Fail(Phase, "a second DisposeAsync does not end.");
            }
        }

        private void Fire(object? state)
        {
            Interlocked.Increment(ref _running);
            Interlocked.Increment(ref _begun);
            Linger.Steps(500);
            Interlocked.Decrement(ref _running);
        }
    }
}
