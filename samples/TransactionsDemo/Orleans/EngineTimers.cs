using System.Diagnostics;
using System.Diagnostics.Metrics;
using Orleans.Timers.Internal;
using TransactionsDemo.Bank;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// Observes the timers that Orleans' transactions start by themselves, in a static class that is not public. Figures
/// that this version of Orleans does not show are left out.
/// </summary>
internal static class EngineTimers
{
    private static readonly TimeSpan s_probeDueTime = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_probePeriod = TimeSpan.FromMilliseconds(50);

    /// <summary>A probe is started only if it will fire this long before the end of the time.</summary>
    private static readonly TimeSpan s_margin = TimeSpan.FromMilliseconds(500);

    private static readonly Func<TimeSpan, CancellationToken, Task<bool>>? s_delay = typeof(ITimerManager).Assembly
        .GetType("Orleans.Timers.Internal.TimerManager")?
        .GetMethod("Delay")?
        .CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    /// <summary>Starts probes now and then, and counts the pending timers at the end.</summary>
    public static async Task<EngineTimerCounts> WatchAsync(TimeSpan duration)
    {
        var startedAt = Stopwatch.GetTimestamp();
        var probes = new List<Task<bool>>();
        while (s_delay is not null && Stopwatch.GetElapsedTime(startedAt) < duration - s_probeDueTime - s_margin)
        {
            probes.Add(IsEarlyAsync(s_delay));
            await Task.Delay(s_probePeriod);
        }

        var left = duration - Stopwatch.GetElapsedTime(startedAt);
        if (left > TimeSpan.Zero)
        {
            await Task.Delay(left);
        }

        var pending = StaticTimerQueues.CountPending() + CountInServices();
        return new EngineTimerCounts(
            pending, probes.Count, (await Task.WhenAll(probes)).LongCount(static early => early));
    }

    private static async Task<bool> IsEarlyAsync(Func<TimeSpan, CancellationToken, Task<bool>> delay)
    {
        var startedAt = Stopwatch.GetTimestamp();
        await delay(s_probeDueTime, CancellationToken.None).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(startedAt) < s_probeDueTime;
    }

    /// <summary>
    /// The timers that services of this project serve instead of Orleans, and the few timers of the bank.
    /// </summary>
    private static long CountInServices()
    {
        var pending = 0L;
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name == "scalable_timers.pending")
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, value, _, _) => pending += value);
        listener.SetMeasurementEventCallback<int>((_, value, _, _) => pending += value);
        listener.Start();
        listener.RecordObservableInstruments();
        return pending;
    }
}
