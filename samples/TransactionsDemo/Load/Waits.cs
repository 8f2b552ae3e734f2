using System.Diagnostics;
using Orleans.Timers.Internal;
using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>Waits again and again while the bank is loaded.</summary>
internal static class Waits
{
    /// <summary>It is in a class that is not public, so there is no other way to it.</summary>
    private static readonly Func<TimeSpan, CancellationToken, Task<bool>> s_orleansDelay =
        typeof(ITimerManager).Assembly.GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!
            .GetMethod("Delay")!.CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    /// <param name="grains">The bank.</param>
    /// <param name="within">Only waits that should end in this time are begun.</param>
    public static async Task<IReadOnlyList<Wait>> RunAsync(IGrainFactory grains, TimeSpan within)
    {
        var grain = grains.GetGrain<IWaitingGrain>(0);
        Task<Wait[]> InGrain(int milliseconds)
        {
            var dueTime = TimeSpan.FromMilliseconds(milliseconds);
            return RepeatAsync(WaitKind.Grain, dueTime, 110, within, () => grain.Measure(dueTime));
        }

        var all = await Task.WhenAll(
            InGrain(20),
            InGrain(100),
            InGrain(400),
            RepeatAsync(WaitKind.Orleans, TimeSpan.FromSeconds(3), 50, within, MeasureOrleansAsync),

            // The period is no divisor of a second, which is the period of Orleans' own check.
            RepeatAsync(
                WaitKind.ResponseTimeout,
                IWaitingGrain.ResponseTimeout,
                130,
                within,
                () => MeasureTimeoutAsync(grain)));
        return [.. all.SelectMany(static waits => waits)];
    }

    private static async Task<Wait[]> RepeatAsync(
        WaitKind kind, TimeSpan asked, int periodMilliseconds, TimeSpan within, Func<Task<TimeSpan>> measureAsync)
    {
        var startedAt = Stopwatch.GetTimestamp();
        var waits = new List<Task<TimeSpan>>();
        while (Stopwatch.GetElapsedTime(startedAt) < within - asked)
        {
            waits.Add(measureAsync());
            await Task.Delay(periodMilliseconds);
        }

        var took = await Task.WhenAll(waits);
        return [.. took.Select(each => new Wait(kind, asked.TotalMilliseconds, each.TotalMilliseconds))];
    }

    private static async Task<TimeSpan> MeasureOrleansAsync()
    {
        var startedAt = Stopwatch.GetTimestamp();
        await s_orleansDelay(TimeSpan.FromSeconds(3), CancellationToken.None);
        return Stopwatch.GetElapsedTime(startedAt);
    }

    private static async Task<TimeSpan> MeasureTimeoutAsync(IWaitingGrain grain)
    {
        var startedAt = Stopwatch.GetTimestamp();
        try
        {
            await grain.AnswerTooLate();
        }
        catch (TimeoutException)
        {
            // As it should be.
        }

        return Stopwatch.GetElapsedTime(startedAt);
    }
}
