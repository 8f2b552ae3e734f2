using System.Threading.Tasks.Sources;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>Ways to fire a <see cref="Shot"/> after a due time.</summary>
internal static class ShotTimers
{
    internal static void ByTimer(Shot shot, TimeSpan dueTime) =>
        shot.Keep = new Timer(Shot.Fire, shot, dueTime, Timeout.InfiniteTimeSpan);

    internal static void ByTaskDelay(Shot shot, TimeSpan dueTime) =>
        _ = AwaitAsync(shot, new ValueTask(Task.Delay(dueTime)));

    internal static Action<Shot, TimeSpan> BySchedule(TimerService timers) =>
        (shot, dueTime) => timers.Schedule(Shot.Fire, shot, dueTime);

    internal static Action<Shot, TimeSpan> ByDelay(TimerService timers) =>
        (shot, dueTime) => _ = AwaitAsync(shot, timers.Delay(dueTime));

    /// <summary>Calls the callbacks as timers do, without timers.</summary>
    internal static Measurement CallAlone(Volley volley) =>
        volley.RunWithoutTimers(static (_, _) => { }, static shot => Shot.Fire(shot));

    /// <summary>Awaits as with delays, but without them.</summary>
    internal static Measurement AwaitAlone(Volley volley) => volley.RunWithoutTimers(
        static (shot, dueTime) =>
        {
            var source = new AwaitedSource();
            shot.Keep = source;
            _ = AwaitAsync(shot, source.Awaited);
        },
        static shot => ((AwaitedSource)shot.Keep!).Complete());

    private static async Task AwaitAsync(Shot shot, ValueTask delay)
    {
        await delay.ConfigureAwait(false);
        shot.Hit();
    }

    /// <summary>An awaited delay without its timer.</summary>
    private sealed class AwaitedSource : IValueTaskSource
    {
        private ManualResetValueTaskSourceCore<bool> _core;

        internal ValueTask Awaited => new(this, _core.Version);

        internal void Complete() => _core.SetResult(true);

        public void GetResult(short token) => _core.GetResult(token);

        public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

        public void OnCompleted(
            Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            _core.OnCompleted(continuation, state, token, flags);
    }
}
