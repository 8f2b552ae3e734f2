using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Driving;

/// <summary>
/// Threads that schedule and cancel, while callbacks on the driver's own thread block for a while, so that driving
/// changes hands again and again.
/// </summary>
[Trait("Category", "Stress")]
public class BlockedFiringThreadTests
{
    private const int Threads = 3;

    // Calibrated in Release on 2 cores. Without counting the worker that FiringBatch.HandOn adds, a batch is returned
    // while a worker uses it: a timer was lost at 1 ms, with and without disposal. Without entering the dispatcher
    // again after a batch (DriverPass.TryFire) all three tests failed.
    [Theory]
    [InlineData(1, false)]
    [InlineData(10, false)]
    [InlineData(1, true)]
    public async Task ScheduleAndCancel_WhileCallbacksBlock_EachTimerEndsOnce(double resolution, bool disposesAmidst)
    {
        var phase = $"blocked firing thread, {resolution} ms, disposed amidst: {disposesAmidst}";
        var (rounds, timers, watchdogs) = (0, 0L, 0);
        for (var lastRoundAt = Stress.LastRoundAt(1, 30); !StressTime.IsOver(lastRoundAt); rounds++)
        {
            var round = new Round(phase, resolution, Stress.NewRandom(rounds));
            timers += await round.RunAsync(disposesAmidst);
            watchdogs += round.Threads;
        }

        Stress.Log($"{phase}: {timers:N0} timers of {rounds} services, fired on {watchdogs} driver threads");
    }

    /// <summary>One service whose firing thread is stuck again and again.</summary>
    private sealed class Round(string phase, double resolution, Random random)
    {
        private const int Waves = 20;
        private const int TimersPerWave = 150;

        private readonly TimerService _service = Stress.NewService(DriverChoice.FiringThread, resolution);
        private readonly Ledger _ledger = new(phase);
        private readonly HashSet<Thread> _drivers = [];

        /// <summary>How many driver threads have fired: two if the firing thread was replaced.</summary>
        internal int Threads
        {
            get
            {
                lock (_drivers)
                {
                    return _drivers.Count;
                }
            }
        }

        internal async Task<long> RunAsync(bool disposesAmidst)
        {
            var seed = random.Next();
            StressThreads.Run(
                phase,
                BlockedFiringThreadTests.Threads,
                thread => Load(new Random(seed + thread), disposesAmidst && thread == 0));
            if (!disposesAmidst)
            {
                _ledger.WaitForAll();
            }

            await Stress.WaitFor(
                phase, _service.DisposeAsync().AsTask(), "DisposeAsync, for callbacks that block for a while.");
            var summary = _ledger.Verify(mayBeOpen: disposesAmidst);
            summary.AssertAgrees(_service.GetSnapshot());
            if (Threads > 2)
            {
                Stress.Fail(phase, $"expected at most 2 driver threads, got {Threads}");
            }

            return summary.Total;
        }

        private void Load(Random random, bool disposes)
        {
            var part = _ledger.NewPart();
            try
            {
                for (var wave = 0; wave < Waves; wave++)
                {
                    for (var i = 0; i < TimersPerWave; i++)
                    {
                        var blocks = random.Next(200) == 0 ? random.NextDouble() * 10 * resolution : 0;
                        var timer = new TrackedTimer(_ledger) { Then = () => Then(blocks) };
                        timer.Schedule(_service, StressTime.UpTo(3 * resolution, random));
                        part.Add(timer);
                        if (random.Next(3) == 0)
                        {
                            _ = ((TrackedTimer)part[random.Next(part.Count)]).Cancel();
                        }
                    }

                    Thread.Sleep((int)(random.NextDouble() * (2 + resolution)));
                    if (disposes && random.Next(Waves) == 0)
                    {
                        _service.Dispose();
                    }
                }
            }
            catch (ObjectDisposedException)
            {
                // The timer that was refused is in no list.
            }
        }

        private void Then(double blocksFor)
        {
            if (!Thread.CurrentThread.IsThreadPoolThread)
            {
                lock (_drivers)
                {
                    _drivers.Add(Thread.CurrentThread);
                }
            }

            if (blocksFor > 0)
            {
                Thread.Sleep(StressTime.Milliseconds(blocksFor));
            }
        }
    }
}
