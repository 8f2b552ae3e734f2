using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>
/// Services that are created, used from two threads, and stopped or disposed under that load, one after the other.
/// </summary>
internal sealed class ShortLivedServices(SoakRun run)
{
    private const int Threads = 2;
    private const int TimersPerThread = 150;

    internal long Count { get; private set; }

    internal async Task RunAsync()
    {
        while (!run.IsOver)
        {
            try
            {
                await RunOneAsync(Stress.NewRandom((int)Count)).ConfigureAwait(false);
            }
            catch (Exception exception)
            {
                run.Tally.Report(SoakFault.Other, $"short-lived service {Count}: {exception}");
            }

            Count++;
            await Task.Delay(20).ConfigureAwait(false);
        }
    }

    private async Task RunOneAsync(Random random)
    {
        var phase = $"short-lived service {Count}";
        var service = Stress.NewService((DriverChoice)(Count % 3), Count % 2 == 0 ? 1 : 10);
        var (callbacks, delays) = (new Ledger(phase + ", callbacks"), new Ledger(phase + ", delays"));
        var (stop, dispose) = (new CancelSource(() => _ = service.StopAsync()), new CancelSource(service.Dispose));
        var seed = random.Next();
        var load = Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => RunOnThreadAsync(() =>
            Load(service, callbacks, delays, [stop, dispose], new Random(unchecked(seed + thread))))));
        await Task.Delay(random.Next(10)).ConfigureAwait(false);
        if (random.Next(2) == 0)
        {
            stop.Cancel();
        }

        dispose.Cancel();
        await load.ConfigureAwait(false);
        await Stress.WaitFor(phase, service.DisposeAsync().AsTask(), "DisposeAsync.").ConfigureAwait(false);
        delays.WaitForAll();
        var (ends, waits) = (callbacks.Verify(mayBeOpen: true), delays.Verify());
        var counted = service.GetSnapshot();
        var sum = counted.Fired + counted.Cancelled + counted.Dropped + counted.HandedOver;
        if (counted.Pending != 0 || counted.Scheduled != sum || counted.Dropped != ends.Open)
        {
            run.Tally.Report(
                SoakFault.Other,
                $"{phase}: expected nothing pending, {sum} scheduled and {ends.Open} dropped, got {counted}");
        }

        var tally = run.Tally[SoakKind.ShortLivedService];
        tally.CountStarted(ends.Total + waits.Total);
        tally.CountFired(ends.Fired + waits.Fired);
        tally.CountCancelled(ends.Cancelled + waits.Cancelled);
        tally.CountDropped(ends.Open);
    }

    private static void Load(TimerService service, Ledger callbacks, Ledger delays, CancelSource[] ends, Random random)
    {
        var (mine, waits) = (callbacks.NewPart(), delays.NewPart());
        try
        {
            for (var i = 0; i < TimersPerThread; i++)
            {
                var dueTime = StressTime.UpTo(20, random) + TimeSpan.FromTicks(1);
                if (random.Next(3) == 0)
                {
                    var delay = new TrackedDelay(delays, ends);
                    delay.StartTry(service, dueTime, default);
                    waits.Add(delay);
                }
                else
                {
                    var timer = new TrackedTimer(callbacks);
                    timer.Schedule(service, dueTime);
                    mine.Add(timer);
                }

                if (random.Next(3) == 0)
                {
                    _ = ((TrackedTimer?)mine.LastOrDefault())?.Cancel();
                }

                if (i % 50 == 0)
                {
                    Thread.Sleep(1);
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // The timer that was being started is refused, so it is in no list.
        }
    }

    private static Task RunOnThreadAsync(Action body)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                body();
                ended.SetResult();
            }
            catch (Exception exception)
            {
                ended.SetException(exception);
            }
        })
        { IsBackground = true }.Start();
        return ended.Task;
    }
}
