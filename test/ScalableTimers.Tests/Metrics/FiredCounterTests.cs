using System.Diagnostics.Metrics;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Metrics;

/// <summary>A counter of a meter never goes back: backends take that for a restart, and add the whole again.</summary>
public class FiredCounterTests
{
    private const int Rounds = 300;
    private const string Fired = "scalable_timers.fired";

    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    // Calibrated by leaving the tag "id" out: services of one name were one series, which went back at each disposal
    // and each creation.
    [Fact]
    public void Fired_OfServicesOfOneNameThatComeAndGo_NeverGoesBackInAnySeries()
    {
        var name = $"{nameof(FiredCounterTests)} {Guid.NewGuid()}";
        var seen = new Dictionary<string, long>();
        var wentBack = new List<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name == Fired)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, value, tags, _) =>
        {
            if (TagsOf(tags) is { } series && series.Contains(name, StringComparison.Ordinal))
            {
                if (value < seen.GetValueOrDefault(series))
                {
                    wentBack.Add($"{series}: from {seen[series]} to {value}");
                }

                seen[series] = value;
            }
        });
        listener.Start();

        var services = new List<(TimerService Service, ManualTimeProvider Clock)>();
        var random = new Random(7);
        long total = 0;
        for (var i = 0; i < Rounds; i++)
        {
            if (services.Count < 4)
            {
                var clock = new ManualTimeProvider();
                services.Add((new TimerService(new() { Name = name }, clock), clock));
            }

            foreach (var (service, clock) in services)
            {
                var timers = random.Next(1, 5);
                for (var j = 0; j < timers; j++)
                {
                    service.Schedule(s_ignore, null, s_tick);
                }

                clock.Advance(s_tick);
                total += timers;
            }

            listener.RecordObservableInstruments();
            if (random.Next(3) == 0)
            {
                var (service, _) = services[random.Next(services.Count)];
                services.RemoveAll(one => ReferenceEquals(one.Service, service));
                service.Dispose();
            }

            listener.RecordObservableInstruments();
        }

        services.ForEach(static one => one.Service.Dispose());
        Assert.Empty(wentBack);
        Assert.Equal(total, seen.Values.Sum());
        Assert.InRange(seen.Count, 10, Rounds);
    }

    private static string TagsOf(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var text = new List<string>();
        foreach (var (key, value) in tags)
        {
            text.Add($"{key}={value}");
        }

        return string.Join(", ", text.Order(StringComparer.Ordinal));
    }
}
