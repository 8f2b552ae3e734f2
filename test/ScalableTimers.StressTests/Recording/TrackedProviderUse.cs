using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>A use of the time provider by one of .NET's own types.</summary>
internal sealed class TrackedProviderUse(Ledger ledger) : Tracked
{
    private string? _surprise;

    internal override string Kind => "time provider";

    /// <summary>Starts one of the uses.</summary>
    internal void Start(TimeProvider provider, Random random, int milliseconds)
    {
        var dueTime = TimeSpan.FromMilliseconds(milliseconds);
        AskFor(StressTime.In(dueTime));
        _ = RunAsync(random.Next(6), provider, dueTime);
    }

    internal override string? Fault(bool mayBeOpen) => _surprise ?? base.Fault(mayBeOpen);

    private async Task RunAsync(int use, TimeProvider provider, TimeSpan dueTime)
    {
        var hasFired = false;
        try
        {
            hasFired = await UseAsync(use, provider, dueTime).ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            _surprise = $"use {use} threw {exception}";
        }

        _ = hasFired ? RecordFired(Stopwatch.GetTimestamp()) : RecordCancelled();
        ledger.CountEnd();
    }

    /// <returns>True if the time has passed, false if it was cancelled.</returns>
    private static async Task<bool> UseAsync(int use, TimeProvider provider, TimeSpan dueTime)
    {
        var hour = TimeSpan.FromHours(1);
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        switch (use)
        {
            case 0:
                await Task.Delay(dueTime, provider).ConfigureAwait(false);
                return true;
            case 1:
                using (var cancelled = new CancellationTokenSource())
                {
                    var delay = Task.Delay(dueTime, provider, cancelled.Token);
                    await Task.Yield();
                    await cancelled.CancelAsync().ConfigureAwait(false);
                    await delay.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    return !delay.IsCanceled;
                }

            case 2:
                // A token source that is armed a second time.
                using (var source = new CancellationTokenSource(hour, provider))
                {
                    using var registration = source.Token.UnsafeRegister(_ => ended.SetResult(), null);
                    source.CancelAfter(dueTime);
                    await ended.Task.ConfigureAwait(false);
                    return true;
                }

            case 3:
                using (var ticks = new PeriodicTimer(
                    TimeSpan.FromMilliseconds(Math.Ceiling(dueTime.TotalMilliseconds / 4)), provider))
                {
                    for (var i = 0; i < 4; i++)
                    {
                        _ = await ticks.WaitForNextTickAsync().ConfigureAwait(false);
                    }

                    return true;
                }

            case 4:
                Task wait = ended.Task.WaitAsync(dueTime, provider);
                await wait.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                return wait.Exception?.InnerException is TimeoutException;
            default:
                // A timer that its creating thread changes, and that is disposed where it fires.
                var timer = provider.CreateTimer(_ => ended.TrySetResult(), null, hour, Timeout.InfiniteTimeSpan);
                _ = timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
                _ = timer.Change(dueTime, Timeout.InfiniteTimeSpan);
                await ended.Task.ConfigureAwait(false);
                await timer.DisposeAsync().ConfigureAwait(false);
                return true;
        }
    }
}
