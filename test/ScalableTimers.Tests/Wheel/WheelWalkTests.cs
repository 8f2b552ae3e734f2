using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Wheel;

/// <summary>A walk over a wheel that changes between the steps misses no entry that stays linked.</summary>
public class WheelWalkTests
{
    private const int Steps = 3_000;

    // Seen to fail when the walk goes up through the slots, so that cascading entries get past it (with three of the
    // seeds), and when a marker that has cascaded is left at its new place (with every seed).
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Next_WhileTheWheelChanges_FindsAllThatStay(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 50; round++)
        {
            var now = random.NextInt64(1_000_000);
            var wheel = new TimerWheel(now);
            var staying = Enumerable.Range(0, 200)
                .Select(_ => wheel.ScheduleNew(now + NewDueTicks(random)))
                .ToHashSet();
            var linked = staying.ToList();
            var found = new HashSet<TimerEntry>();
            var walk = new WheelWalk(new TimerEntry());
            for (var step = 0; !walk.IsOver; step++)
            {
                Assert.True(step < Steps, $"seed {seed}, round {round}: the walk does not end.");
                if (random.Next(2) == 0 && wheel.Next(walk) is { } next)
                {
                    found.Add(next);
                }
                else
                {
                    Change(wheel, ref now, linked, staying, walk.Marker, random);
                }
            }

            Assert.True(
                found.IsSupersetOf(staying),
                $"seed {seed}, round {round}: {staying.Except(found).Count()} of {staying.Count} were missed.");
            Assert.DoesNotContain(walk.Marker, found);
            Assert.False(walk.Marker.IsLinked);
            Assert.Equal(linked.Count, wheel.Count);
        }
    }

    [Fact]
    public void Next_EntriesAreAddedMeanwhile_StillEnds()
    {
        var wheel = new TimerWheel();
        wheel.ScheduleNew(5);
        var walk = new WheelWalk(new TimerEntry());
        var found = 0;
        while (wheel.Next(walk) is not null)
        {
            found++;
            wheel.ScheduleNew(5);
            wheel.ScheduleNew(5);
        }

        Assert.Equal(1, found);
    }

    [Fact]
    public void Next_SlotHalfWalked_ExpiresInItsOrder()
    {
        var wheel = new TimerWheel();
        var entries = Enumerable.Range(0, 10).Select(_ => wheel.ScheduleNew(100)).ToList();
        var walk = new WheelWalk(new TimerEntry());
        for (var i = 0; i < 5; i++)
        {
            _ = wheel.Next(walk);
        }

        var expired = wheel.Advance(100);
        expired.Remove(walk.Marker);

        Assert.Equal(entries, expired);
        Assert.Null(wheel.Next(walk));
    }

    private static void Change(
        TimerWheel wheel,
        ref long now,
        List<TimerEntry> linked, HashSet<TimerEntry> staying,
        TimerEntry marker,
        Random random)
    {
        switch (random.Next(8))
        {
            case 0:
                linked.Add(wheel.ScheduleNew(now + NewDueTicks(random)));
                break;
            case 1 when linked.Count > 0:
                var removed = linked[random.Next(linked.Count)];
                linked.Remove(removed);
                staying.Remove(removed);
                wheel.Remove(removed);
                break;
            default:
                now += random.Next(10) == 0 ? random.Next(5_000) : random.Next(5);
                var budget = 1 + random.Next(8);
                while (wheel.Advance(now, ref budget) is { } expired)
                {
                    if (!ReferenceEquals(expired, marker))
                    {
                        linked.Remove(expired);
                        staying.Remove(expired);
                    }
                }

                break;
        }
    }

    private static long NewDueTicks(Random random) => 1L << random.Next(20) | (long)random.Next(64);
}
