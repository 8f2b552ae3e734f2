using System.Diagnostics;
using System.Diagnostics.Metrics;
using Orleans.Timers.Internal;
using TransactionsDemo.Probes;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// Observes the timers that Orleans' transactions start by themselves, in a static class that is not public. Figures
/// that this version of Orleans does not show are left out.
/// </summary>
internal static class EngineTimers
{
    private static readonly Func<TimeSpan, CancellationToken, Task<bool>>? s_delay = typeof(ITimerManager).Assembly
        .GetType("Orleans.Timers.Internal.TimerManager")?
        .GetMethod("Delay")?
        .CreateDelegate<Func<TimeSpan, CancellationToken, Task<bool>>>();

    /// <summary>Long delays, as those of transactions are.</summary>
    public static Probe? Probe { get; } = s_delay is null
        ? null
        : new Probe(
            ProbeKind.StaticTimer,
            [TimeSpan.FromSeconds(3)],
            Period: TimeSpan.FromMilliseconds(50),
            static asked => Task.WhenAll(asked.Select(MeasureAsync)));

    /// <summary>How many are pending.</summary>
    public static long? CountPending() => StaticTimerQueues.CountPending() + CountInServices();

    private static async Task<TimeSpan> MeasureAsync(TimeSpan dueTime)
    {
        var startedAt = Stopwatch.GetTimestamp();
        await s_delay!(dueTime, CancellationToken.None).ConfigureAwait(false);
        return Stopwatch.GetElapsedTime(startedAt);
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
