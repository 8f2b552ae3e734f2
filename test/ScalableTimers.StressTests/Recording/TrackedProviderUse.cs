using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>A use of the time provider by one of .NET's own types.</summary>
/// <param name="ledger">Where its end is counted.</param>
internal sealed class TrackedProviderUse(Ledger ledger) : Tracked
{
    private string? _surprise;

    internal override string Kind => "time provider";

    /// <summary>Starts one of the uses.</summary>
    /// <param name="provider">The time provider.</param>
    /// <param name="random">Chooses the use.</param>
    /// <param name="milliseconds">When it is due. Some of .NET's types cut off fractions.</param>
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
    private static Task<bool> UseAsync(int use, TimeProvider provider, TimeSpan dueTime) => use switch
    {
        0 => DelayAsync(provider, dueTime),
        1 => CancelDelayAsync(provider, dueTime),
        2 => CancelAfterAsync(provider, dueTime),
        3 => TickAsync(provider, dueTime),
        4 => WaitAsync(provider, dueTime),
        _ => ChangeAsync(provider, dueTime),
    };

    private static async Task<bool> DelayAsync(TimeProvider provider, TimeSpan dueTime)
    {
        await Task.Delay(dueTime, provider).ConfigureAwait(false);
        return true;
    }

    private static async Task<bool> CancelDelayAsync(TimeProvider provider, TimeSpan dueTime)
    {
        using var source = new CancellationTokenSource();
        var delay = Task.Delay(dueTime, provider, source.Token);
        await Task.Yield();
        await source.CancelAsync().ConfigureAwait(false);
        await delay.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return !delay.IsCanceled;
    }

    /// <summary>A token source that is armed a second time.</summary>
    private static async Task<bool> CancelAfterAsync(TimeProvider provider, TimeSpan dueTime)
    {
        using var source = new CancellationTokenSource(TimeSpan.FromHours(1), provider);
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var registration = source.Token.UnsafeRegister(
            static cancelled => ((TaskCompletionSource)cancelled!).SetResult(), cancelled);
        source.CancelAfter(dueTime);
        await cancelled.Task.ConfigureAwait(false);
        return true;
    }

    private static async Task<bool> TickAsync(TimeProvider provider, TimeSpan dueTime)
    {
        using var timer = new PeriodicTimer(
            TimeSpan.FromMilliseconds(Math.Ceiling(dueTime.TotalMilliseconds / 4)), provider);
        for (var i = 0; i < 4; i++)
        {
            _ = await timer.WaitForNextTickAsync().ConfigureAwait(false);
        }

        return true;
    }

    private static async Task<bool> WaitAsync(TimeProvider provider, TimeSpan dueTime)
    {
        Task wait = new TaskCompletionSource().Task.WaitAsync(dueTime, provider);
        await wait.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return wait.Exception?.InnerException is TimeoutException;
    }

    /// <summary>A timer that is changed by the thread that created it and disposed where it fires.</summary>
    private static async Task<bool> ChangeAsync(TimeProvider provider, TimeSpan dueTime)
    {
        var fired = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var timer = provider.CreateTimer(
            static fired => ((TaskCompletionSource)fired!).TrySetResult(),
            fired,
            TimeSpan.FromHours(1),
            Timeout.InfiniteTimeSpan);
        _ = timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        _ = timer.Change(dueTime, Timeout.InfiniteTimeSpan);
        await fired.Task.ConfigureAwait(false);
        await timer.DisposeAsync().ConfigureAwait(false);
        return true;
    }
}
