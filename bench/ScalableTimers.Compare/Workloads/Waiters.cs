namespace ScalableTimers.Compare.Workloads;

/// <summary>Code that awaits a delay until its token is cancelled, without an exception.</summary>
internal static class Waiters
{
    internal static Func<CancellationToken, Task> OnTaskDelay(TimeProvider clock) => async token =>
        await Task.Delay(Loops.DueTime, clock, token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    internal static Func<CancellationToken, Task> OnTryDelay(TimerService timers) => async token =>
        Loops.MustBe(!await timers.TryDelay(Loops.DueTime, token).ConfigureAwait(false));

    /// <summary>The least that any delay must do: wait for its token, and resume on the pool.</summary>
    internal static async Task OnToken(CancellationToken token)
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = token.UnsafeRegister(
            static source => ((TaskCompletionSource)source!).SetResult(), cancelled);
        await cancelled.Task.ConfigureAwait(false);
    }
}
