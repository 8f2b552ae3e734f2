using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What measuring adds to a tick of a grain timer. Run it by its name, alone and on a quiet machine.</summary>
public sealed class GrainTimerCostTests(TwoSilos silos)
{
    private const int Rounds = 7;
    private const int Ticks = 200_000;

    [Fact(Explicit = true)]
    public async Task Tick_WithAndWithoutAListener_CostsThis()
    {
        using var host = TestHosts.Silo(static silo => silo.MeasureGrainTimers());
        var metrics = host.Services.GetRequiredService<GrainTimerMetrics>();
        using var listener = new CountingListener();
        var results = new Dictionary<string, List<(double Nanoseconds, double Bytes)>>();
        for (var round = -1; round < Rounds; round++)
        {
            await silos.First.NewGrain().Run(async self =>
            {
                var timer = new MeasuredGrainTimer(
                    metrics,
                    self.GrainContext,
                    static _ => Task.CompletedTask,
                    static () => "callback",
                    TimeSpan.Zero,
                    TimeSpan.FromMinutes(1),
                    takesToken: true);
                listener.IsOn = false;
                Keep("nobody listens", await Measure(timer));
                listener.IsOn = true;
                Keep("somebody listens", await Measure(timer));
            });

            void Keep(string kind, (double, double) result)
            {
                if (round >= 0)
                {
                    (results.TryGetValue(kind, out var all) ? all : results[kind] = []).Add(result);
                }
            }
        }

        foreach (var (kind, all) in results)
        {
            var times = all.Select(static each => each.Nanoseconds).Order().ToList();
            TestContext.Current.TestOutputHelper?.WriteLine(
                $"{kind}: {times[Rounds / 2]:N0} ns a tick ({times[0]:N0} to {times[^1]:N0}), "
                + $"{all.Average(static each => each.Bytes):N0} bytes");
        }
    }

    private static async Task<(double Nanoseconds, double Bytes)> Measure(MeasuredGrainTimer timer)
    {
        var bytes = GC.GetAllocatedBytesForCurrentThread();
        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < Ticks; i++)
        {
            await timer.Tick(CancellationToken.None);
        }

        var took = Stopwatch.GetElapsedTime(start);
        return (took.TotalNanoseconds / Ticks, (GC.GetAllocatedBytesForCurrentThread() - bytes) / (double)Ticks);
    }

    private sealed class CountingListener : IDisposable
    {
        private readonly MeterListener _listener = new();
        private readonly List<Instrument> _instruments = [];

        public CountingListener()
        {
            _listener.InstrumentPublished = (instrument, _) =>
            {
                if (instrument.Name.StartsWith("scalable_timers.grain_timer.", StringComparison.Ordinal))
                {
                    _instruments.Add(instrument);
                }
            };
            _listener.SetMeasurementEventCallback<double>(static (_, _, _, _) => { });
            _listener.Start();
        }

        internal bool IsOn
        {
            set => _instruments.ForEach(instrument =>
            {
                if (value)
                {
                    _listener.EnableMeasurementEvents(instrument);
                }
                else
                {
                    _listener.DisableMeasurementEvents(instrument);
                }
            });
        }

        public void Dispose() => _listener.Dispose();
    }
}
