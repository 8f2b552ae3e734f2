using System.Diagnostics;
using TransactionsDemo.Probes;

namespace TransactionsDemo.OnOrleans;

/// <summary>Calls that are not answered, to see when Orleans gives them up.</summary>
internal static class ResponseTimeouts
{
    /// <summary>The period is no divisor of a second, so that no look of Orleans' always meets the same age.</summary>
    public static Probe Probe(IGrainFactory grains) => new(
        ProbeKind.ResponseTimeout,
        [ISilentGrain.ResponseTimeout],
        Period: TimeSpan.FromMilliseconds(130),
        asked => Task.WhenAll(asked.Select(_ => MeasureAsync(grains.GetGrain<ISilentGrain>(0)))));

    private static async Task<TimeSpan> MeasureAsync(ISilentGrain grain)
    {
        var startedAt = Stopwatch.GetTimestamp();
        try
        {
            await grain.KeepSilentAsync().ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // As it should be.
        }

        return Stopwatch.GetElapsedTime(startedAt);
    }
}
