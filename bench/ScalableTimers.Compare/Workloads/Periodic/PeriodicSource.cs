namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>Starts a timer or thread that calls back once a millisecond.</summary>
internal static class PeriodicSource
{
    internal const int PeriodMilliseconds = 1;
    private static readonly TimeSpan s_period = TimeSpan.FromMilliseconds(PeriodMilliseconds);

    internal static string NameOf(PeriodicKind kind) => kind switch
    {
        PeriodicKind.Timer => "Timer",
        PeriodicKind.PeriodicTimer => "PeriodicTimer",
        PeriodicKind.TimersTimer => "System.Timers.Timer",
        PeriodicKind.SleepingThread => "thread that sleeps 1 ms",
        PeriodicKind.CreateTimer => "CreateTimer, 1 ms resolution",
        PeriodicKind.CreateTimerAllow => "CreateTimer, Overlap = Allow",
        PeriodicKind.CreateTimerOnDriverThread => "CreateTimer, driver thread",
        _ => "OS timer (timerfd)",
    };

    internal static bool IsAvailable(PeriodicKind kind) =>
        kind != PeriodicKind.OsTimer || OperatingSystem.IsLinux();

    /// <returns>The object that keeps it alive. It continues until the process ends.</returns>
    internal static object Start(PeriodicKind kind, PeriodicCallback callback) => kind switch
    {
        PeriodicKind.Timer => new Timer(_ => callback.Run(), null, s_period, s_period),
        PeriodicKind.PeriodicTimer => Loop(callback),
        PeriodicKind.TimersTimer => StartTimersTimer(callback),
        PeriodicKind.SleepingThread => StartThread(callback),
        PeriodicKind.CreateTimer => StartOurs(callback, TimerOverlap.Skip),
        PeriodicKind.CreateTimerAllow => StartOurs(callback, TimerOverlap.Allow),
        PeriodicKind.CreateTimerOnDriverThread => StartOurs(callback, TimerOverlap.Skip, onDriverThread: true),
        _ when OperatingSystem.IsLinux() => new OsTimers().Create(_ => callback.Run(), null, s_period, s_period),
        _ => throw new PlatformNotSupportedException(),
    };

    private static async Task Loop(PeriodicCallback callback)
    {
        using var timer = new PeriodicTimer(s_period);
        while (await timer.WaitForNextTickAsync().ConfigureAwait(false))
        {
            callback.Run();
        }
    }

    private static System.Timers.Timer StartTimersTimer(PeriodicCallback callback)
    {
        var timer = new System.Timers.Timer(PeriodMilliseconds);
        timer.Elapsed += (_, _) => callback.Run();
        timer.Start();
        return timer;
    }

    private static Thread StartThread(PeriodicCallback callback)
    {
        var thread = new Thread(() =>
        {
            while (true)
            {
                Thread.Sleep(PeriodMilliseconds);
                callback.Run();
            }
        })
        { IsBackground = true };
        thread.Start();
        return thread;
    }

    private static ITimer StartOurs(PeriodicCallback callback, TimerOverlap overlap, bool onDriverThread = false)
    {
        var timers = new TimerService(new ScalableTimerOptions
        {
            Driver = TimerDriverKind.Thread,
            Resolution = s_period,
            Firing = onDriverThread ? FiringMode.DriverThread : FiringMode.Auto,
        });
        return timers.CreateTimer(
            _ => callback.Run(), null, s_period, s_period, new PeriodicTimerOptions { Overlap = overlap });
    }
}
