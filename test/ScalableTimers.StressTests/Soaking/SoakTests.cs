using System.Diagnostics;
using ScalableTimers.StressTests.Soaking.Recording;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>Everything at once, at random, for the requested time: <c>./test.sh --soak 10m</c>.</summary>
[Trait("Category", "Stress")]
public class SoakTests
{
    private const int TimersPerSecond = 200_000;

    // Calibrated in Release on 2 cores, each in the short form:
    // CallbackEntry.TryEnd returns true for an entry that had ended before: fails within 1 second, 2 of 2 runs
    //   TickClock.DeadlineTick rounds down: fails within 5 seconds, 3 of 3 runs
    //   CallbackEntry.TryExpireLocked loses one entry in 4,096: fails within 10 to 40 seconds, 3 of 3 runs
    // It did not find a read and a write instead of the compare-exchange in TryEnd in 3 such runs. MixedDueTimesTests,
    // which cancels far more at the moment of expiry, does.
    [Fact]
    public async Task Everything_UsedAtRandomFromEverywhere_NothingIsEarlyLostDoubledOrLate()
    {
        using var run = new SoakRun();
        var memory = new MemorySamples(run.Tally);
        var report = new SoakReport(run, memory);
        var metronomes = new Metronomes(run);
        var services = new ShortLivedServices(run);
        var soakers = new Soaker[2 * Environment.ProcessorCount];
        for (var i = 0; i < soakers.Length; i++)
        {
            soakers[i] = new Soaker(run, i, TimersPerSecond / soakers.Length);
        }

        var operations = Array.ConvertAll(soakers, static soaker => soaker.Operations);
        var running = Task.WhenAll(
            [services.RunAsync(), .. soakers.Select(static soaker => Task.Run(soaker.RunAsync))]);
        await WatchAsync(run, memory, report, operations, metronomes);
        run.End();

        await WaitForAsync(run, running, "soakers");
        await metronomes.EndAsync();
        Array.ForEach(operations, static operation => operation.EndAll());
        run.CancelAllLeft();
        DrainAndCount(run, operations);
        memory.Judge();
        report.Facts.Add(
            $"{services.Count:N0} short-lived services, {metronomes.Firings:N0} firings of {2 * run.Subjects.Length} "
            + "timers that lasted");
        report.Write();
        if (run.Tally.HasFaults)
        {
            Stress.Fail("soak", $"{run.Tally.Describe()}");
        }
    }

    private static async Task WatchAsync(
        SoakRun run, MemorySamples memory, SoakReport report, SoakOperations[] operations, Metronomes metronomes)
    {
        var start = Stopwatch.GetTimestamp();
        var sampleAt = SoakLength.BetweenMemorySamples;
        Task? mass = null;
        for (
            var elapsed = TimeSpan.Zero; !run.IsOver
                && (
                    elapsed < SoakLength.Duration || mass is { IsCompleted: false });
                elapsed = Stopwatch.GetElapsedTime(start))
        {
            await Task.Delay(100);
            run.LateOnes.Judge();
            metronomes.ReportLost();
            Array.ForEach(operations, static operation => operation.ReportLost());
            if (mass is null && elapsed > SoakLength.Duration / 2)
            {
                var timers = new MassOfTimers(run, SoakLength.Mass, SoakLength.MassFiring);
                mass = Task.Factory.StartNew(
                    timers.Run, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
                _ = mass.ContinueWith(
                    _ => report.Facts.Add($"{timers.Pending:N0} timers were pending at once on one service"),
                    CancellationToken.None,
                    TaskContinuationOptions.ExecuteSynchronously,
                    TaskScheduler.Default);
            }

            if (elapsed > sampleAt && mass is null or { IsCompleted: true })
            {
                sampleAt = elapsed + SoakLength.BetweenMemorySamples;
                memory.Take();
                Stress.Log(
                    $"{elapsed:hh\\:mm\\:ss} {run.Tally.Started:N0} timers, {GC.GetTotalMemory(false) / 1e6:F1} MB");
            }
        }

        await (mass ?? Task.CompletedTask);
    }

    /// <summary>Waits until everything has ended, and reports everything that has not.</summary>
    private static void DrainAndCount(SoakRun run, SoakOperations[] operations)
    {
        bool HaveAllEnded() =>
            Array.TrueForAll(operations, static operation => operation.HaveAllEnded)
            && Array.TrueForAll(Enum.GetValues<SoakKind>(), kind => run.Tally[kind].Open == 0);
        for (var giveUpAt = StressTime.In(Stress.Guard); !HaveAllEnded() && !run.Tally.HasFaults; Thread.Sleep(100))
        {
            Array.ForEach(operations, static operation => operation.ReportLost());
            if (StressTime.IsOver(giveUpAt))
            {
                var open = Enum.GetValues<SoakKind>()
                    .Where(kind => run.Tally[kind].Open > 0)
                    .Select(kind => $"{run.Tally[kind].Open} {kind}");
                run.Tally.Report(SoakFault.Lost, $"{string.Join(", ", open)} have not ended");
            }
        }

        // Waits until the machine's pauses around the last timers are known.
        Thread.Sleep(TimeSpan.FromSeconds(1.5));
        run.LateOnes.Judge();
        run.CheckStatistics();
        if (run.Tally.HasFaults)
        {
            // Disposing the services ends the timers that are still pending. These ends are not reported as further
            // faults.
            run.Tally.Seal();
        }

        foreach (var subject in run.Subjects)
        {
            // Tokens that were created in advance continue to run, and the last callbacks may run still.
            subject.Service.DisposeAsync().AsTask().Wait(Stress.Guard);
            if (!run.Tally.HasFaults && subject.Fault() is { } fault)
            {
                run.Tally.Report(SoakFault.Other, fault);
            }
        }
    }

    private static async Task WaitForAsync(SoakRun run, Task running, string what)
    {
        if (await Task.WhenAny(running, Task.Delay(Stress.Guard)) != running)
        {
            run.Tally.Report(SoakFault.Lost, $"{what} wait for a timer that does not come");
            return;
        }

        try
        {
            await running;
        }
        catch (Exception exception)
        {
            run.Tally.Report(SoakFault.Other, $"{what} threw {exception}");
        }
    }
}
