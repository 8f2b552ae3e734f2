using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>Ways to have a <see cref="Shot"/> fired after a due time.</summary>
internal static class ShotTimers
{
    private static readonly Action<object?> s_fire = static shot => ((Shot)shot!).Hit();

    internal static void ByTimer(Shot shot, TimeSpan dueTime) =>
        shot.Keep = new Timer(Shot.Fire, shot, dueTime, Timeout.InfiniteTimeSpan);

    internal static void BySource(Shot shot, TimeSpan dueTime)
    {
        var source = new CancellationTokenSource(dueTime);
        _ = source.Token.UnsafeRegister(s_fire, shot);
        shot.Keep = source;
    }

    internal static void ByTaskDelay(Shot shot, TimeSpan dueTime) => _ = AwaitAsync(shot, dueTime);

    internal static Action<Shot, TimeSpan> BySchedule(TimerService timers) =>
        (shot, dueTime) => timers.Schedule(Shot.Fire, shot, dueTime);

    internal static Action<Shot, TimeSpan> ByDelay(TimerService timers) =>
        (shot, dueTime) => _ = AwaitAsync(timers, shot, dueTime);

    /// <summary>Calls the callbacks as timers do, without timers.</summary>
    internal static Measurement CallAlone(Volley volley) => volley.RunWithoutTimers(
        static (_, _) => { }, static shot => Shot.Fire(shot));

    /// <summary>Awaits as with delays, without delays.</summary>
    internal static Measurement AwaitAlone(Volley volley) => volley.RunWithoutTimers(
        static (shot, dueTime) => _ = AwaitAsync(shot), static shot => shot.Source.Complete());

    private static async Task AwaitAsync(Shot shot)
    {
        await shot.Source.Awaited.ConfigureAwait(false);
        shot.Hit();
    }

    private static async Task AwaitAsync(Shot shot, TimeSpan dueTime)
    {
        await Task.Delay(dueTime).ConfigureAwait(false);
        shot.Hit();
    }

    private static async Task AwaitAsync(TimerService timers, Shot shot, TimeSpan dueTime)
    {
        await timers.Delay(dueTime).ConfigureAwait(false);
        shot.Hit();
    }
}
