using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Metrics;

/// <summary>A meter's counter never goes back: backends would take that for a restart, and add it all again.</summary>
public class FiredCounterTests
{
    private const int Rounds = 300;
    private const string Fired = "scalable_timers.fired";

    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    // Seen to fail without the tag "id": services of one name shared a series, which went back at each disposal and
    // each creation.
    [Fact]
    public void Fired_ServicesOfOneNameComeAndGo_NeverDecreasesInAnySeries()
    {
        var name = $"{nameof(FiredCounterTests)} {Guid.NewGuid()}";
        using var listener = new RecordingListener(static instrument => instrument.Name == Fired);

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

            listener.Observe();
            if (random.Next(3) == 0)
            {
                var (service, _) = services[random.Next(services.Count)];
                services.RemoveAll(one => ReferenceEquals(one.Service, service));
                service.Dispose();
            }

            listener.Observe();
        }

        services.ForEach(static one => one.Service.Dispose());
        var series = listener.Measurements
            .Where(one => one.Tags.Any(tag => name.Equals(tag.Value)))
            .GroupBy(
                static one => string.Join(", ", one.Tags.Select(static tag => $"{tag.Key}={tag.Value}").Order()),
                static one => one.Value)
            .ToList();
        Assert.All(series, static values => Assert.Equal(values.Order(), values));
        Assert.Equal(total, series.Sum(static values => values.Last()));
        Assert.InRange(series.Count, 10, Rounds);
    }
}
