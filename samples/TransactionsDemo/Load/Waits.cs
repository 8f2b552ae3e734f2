using System.Diagnostics;
using Orleans.Timers.Internal;
using TransactionsDemo.Bank;

namespace TransactionsDemo.Load;

/// <summary>Waits repeatedly while the bank is under load.</summary>
internal static class Waits
{
    /// <summary>Found by reflection, because its class is not public.</summary>
    private static readonly Func<TimeSpan, CancellationToken, Task<bool>> s_orleansDelay =
        typeof(ITimerManager).Assembly.GetType("Orleans.Timers.Internal.TimerManager", throwOnError: true)!
            .GetMethod("Delay")!.CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    private static readonly TimeSpan s_transactionWait = TimeSpan.FromSeconds(3);

    /// <param name="grains">The bank.</param>
    /// <param name="within">Only waits that should end within this time are begun.</param>
    /// <returns>The lateness of each wait in milliseconds, negative if it ended too early.</returns>
    public static async Task<IReadOnlyDictionary<WaitKind, double[]>> RunAsync(IGrainFactory grains, TimeSpan within)
    {
        var grain = grains.GetGrain<IWaitingGrain>(0);
        Task<double[]> InGrain(TimeSpan asked) => RepeatAsync(asked, 110, within, () => grain.Measure(asked));

        var inGrain = Task.WhenAll(
            InGrain(TimeSpan.FromMilliseconds(20)),
            InGrain(TimeSpan.FromMilliseconds(100)),
            InGrain(TimeSpan.FromMilliseconds(400)));
        var inOrleans = RepeatAsync(s_transactionWait, 50, within, static () => MeasureAsync(WaitInOrleansAsync));

        // The period does not divide a second, which is the period of Orleans' own check.
        var timeouts = RepeatAsync(
            IWaitingGrain.ResponseTimeout, 130, within, () => MeasureAsync(grain.AnswerTooLate));
        return new Dictionary<WaitKind, double[]>
        {
            [WaitKind.Grain] = [.. (await inGrain).SelectMany(static lateness => lateness)],
            [WaitKind.Orleans] = await inOrleans,
            [WaitKind.ResponseTimeout] = await timeouts,
        };
    }

    private static async Task<double[]> RepeatAsync(
        TimeSpan asked, int periodMilliseconds, TimeSpan within, Func<Task<TimeSpan>> measureAsync)
    {
        var startedAt = Stopwatch.GetTimestamp();
        var waits = new List<Task<TimeSpan>>();
        while (Stopwatch.GetElapsedTime(startedAt) < within - asked)
        {
            waits.Add(measureAsync());
            await Task.Delay(periodMilliseconds);
        }

        var took = await Task.WhenAll(waits);
        return [.. took.Select(each => (each - asked).TotalMilliseconds)];
    }

    private static Task WaitInOrleansAsync() => s_orleansDelay(s_transactionWait, CancellationToken.None);

    private static async Task<TimeSpan> MeasureAsync(Func<Task> waitAsync)
    {
        var startedAt = Stopwatch.GetTimestamp();
        try
        {
            await waitAsync();
        }
        catch (TimeoutException)
        {
            // The expected response timeout.
        }

        return Stopwatch.GetElapsedTime(startedAt);
    }
}
