using System.Diagnostics;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>
/// A process that is suspended for seconds, as by a debugger, a frozen container or a migrated machine.
/// </summary>
public class SuspendedProcessTests
{
    private const string ChildVariable = "SCALABLE_TIMERS_SUSPENDED_CHILD";
    private const string Phase = "suspended process";
    private const int TimersPerService = 5_000;

    /// <summary>
    /// The test runs in a child process, because suspending the process that runs all tests would suspend the tests
    /// too.
    /// </summary>
    [Fact]
    public async Task Process_StoppedForSeconds_EverythingFiresOnceWhenItGoesOn()
    {
        if (!OperatingSystem.IsLinux())
        {
            Assert.Skip("Stops a process by a signal of Linux.");
        }

        if (Environment.GetEnvironmentVariable(ChildVariable) is not null)
        {
            await RunChildAsync();
            return;
        }

        var program = Environment.ProcessPath!;
        var isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        string[] host = isHost ? [typeof(SuspendedProcessTests).Assembly.Location] : [];
        string[] options = ["--filter-class", "*" + nameof(SuspendedProcessTests), "--no-ansi"];
        var start = new ProcessStartInfo(program, [.. host, .. options])
        {
            RedirectStandardOutput = true,
            Environment = { [ChildVariable] = "1" },
        };
        using var child = Process.Start(start)!;
        var output = child.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        using var limit = new CancellationTokenSource(Stress.Guard * 3);
        await child.WaitForExitAsync(limit.Token).ConfigureAwait(
            ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
        if (!child.HasExited)
        {
            child.Kill();
        }

        Stress.Log(await output);
        Assert.True(!limit.IsCancellationRequested && child.ExitCode == 0, $"{Phase}: the child hangs or has failed.");
    }

    private static async Task RunChildAsync()
    {
        var stopFor = Stress.Choose(2, 5);
        var (ledger, periodic) = (new Ledger(Phase), new List<TrackedITimer>());
        var services = (
            from resolution in new[] { 1.0, 10.0 }
            from driver in Enum.GetValues<DriverChoice>()
            select Stress.NewService(driver, resolution)).ToList();
        services.ForEach(service => Schedule(service, ledger, periodic, TimeSpan.FromSeconds(stopFor + 2)));
        var longest = Suspend(stopFor);
        Assert.True(longest > TimeSpan.FromSeconds(stopFor - 0.5), $"{Phase}: stopped for {longest}, not {stopFor} s.");
        ledger.WaitForAll();
        TrackedITimer.WaitForMore(Phase, periodic);
        await TrackedITimer.DisposeAllAsync(Phase, periodic);
        services.ForEach(static service => service.Dispose());

        // All moments that passed while it was suspended share one firing, so none comes before its moment.
        TrackedITimer.Verify(Phase, periodic);
        _ = ledger.Verify();
    }

    /// <summary>Schedules what is due before, during and after the pause.</summary>
    private static void Schedule(TimerService service, Ledger ledger, List<TrackedITimer> periodic, TimeSpan longest)
    {
        for (var i = 0; i < TimersPerService; i++)
        {
            var dueTime = (longest * Random.Shared.NextDouble()) + TimeSpan.FromTicks(1);
            if (i % 4 == 0)
            {
                ledger.Add(new TrackedDelay(ledger)).StartTry(service, dueTime, default);
            }
            else
            {
                ledger.Add(new TrackedTimer(ledger)).Schedule(service, dueTime);
            }
        }

        var period = TimeSpan.FromMilliseconds(20);
        periodic.Add(new TrackedITimer(service, period, period));
        periodic.Add(new TrackedITimer(service.TimeProvider, period, period));
    }

    /// <summary>Makes a shell suspend this process and let it continue.</summary>
    /// <returns>The longest sleep of a thread that sleeps for a millisecond at a time.</returns>
    private static TimeSpan Suspend(int seconds)
    {
        var id = Environment.ProcessId;
        var script = $"sleep 0.5; kill -STOP {id}; sleep {seconds}; kill -CONT {id}";
        using var shell = Process.Start("/bin/sh", ["-c", script]);
        var longest = TimeSpan.Zero;
        while (!shell.HasExited)
        {
            var before = Stopwatch.GetTimestamp();
            Thread.Sleep(1);
            longest = TimeSpan.FromTicks(Math.Max(longest.Ticks, Stopwatch.GetElapsedTime(before).Ticks));
        }

        return longest;
    }
}
