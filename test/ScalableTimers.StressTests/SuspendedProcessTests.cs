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
        string[] options = ["--filter-class", "*" + nameof(SuspendedProcessTests), "--no-ansi", "--show-live-output", "on"];
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
        var subjects = (
            from resolution in new[] { 1.0, 10.0 }
            from driver in Enum.GetValues<DriverChoice>()
            select new Subject(driver, resolution)).ToList();

        // Due before, during and after the pause.
        subjects.ForEach(subject => subject.Schedule(TimeSpan.FromSeconds(stopFor + 2)));
        var longest = Suspend(stopFor);
        Assert.True(longest > TimeSpan.FromSeconds(stopFor - 0.5), $"{Phase}: stopped for {longest}, not {stopFor} s.");

        foreach (var subject in subjects)
        {
            await subject.EndAsync();
        }
    }

    /// <summary>Makes a shell suspend this process and let it continue.</summary>
    /// <returns>The longest sleep of a thread that sleeps for a millisecond at a time.</returns>
    private static TimeSpan Suspend(int seconds)
    {
        var id = Environment.ProcessId;
        using var shell = Process.Start("/bin/sh", ["-c", $"sleep 0.5; kill -STOP {id}; sleep {seconds}; kill -CONT {id}"]);
        var longest = TimeSpan.Zero;
        while (!shell.HasExited)
        {
            var before = Stopwatch.GetTimestamp();
            Thread.Sleep(1);
            longest = TimeSpan.FromTicks(Math.Max(longest.Ticks, Stopwatch.GetElapsedTime(before).Ticks));
        }

        return longest;
    }

    /// <summary>A service and the timers that it was asked for.</summary>
    private sealed class Subject(DriverChoice driver, double resolution)
    {
        private const int Timers = 5_000;

        private readonly TimerService _service = Stress.NewService(driver, resolution);
        private readonly Ledger _ledger = new($"{Phase}, driver {driver}, {resolution} ms");
        private readonly List<TrackedITimer> _periodic = [];

        internal void Schedule(TimeSpan longest)
        {
            var random = Stress.NewRandom((int)driver);
            for (var i = 0; i < Timers; i++)
            {
                var dueTime = (longest * random.NextDouble()) + TimeSpan.FromTicks(1);
                if (i % 4 == 0)
                {
                    _ledger.Add(new TrackedDelay(_ledger)).StartTry(_service, dueTime, default);
                }
                else
                {
                    _ledger.Add(new TrackedTimer(_ledger)).Schedule(_service, dueTime);
                }
            }

            foreach (var overlap in Enum.GetValues<TimerOverlap>())
            {
                var period = TimeSpan.FromMilliseconds(20);
                _periodic.Add(new TrackedITimer(_service, period, period, new() { Overlap = overlap }));
            }
        }

        internal async Task EndAsync()
        {
            _ledger.WaitForAll();
            TrackedITimer.WaitForMore(Phase, _periodic);
            await TrackedITimer.DisposeAllAsync(Phase, _periodic);
            await _service.DisposeAsync();

            // All moments that passed while it was suspended share one firing, so none comes before its moment.
            TrackedITimer.Verify(Phase, _periodic);
            _ = _ledger.Verify().Log();
        }
    }
}
