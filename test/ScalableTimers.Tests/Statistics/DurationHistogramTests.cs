using ScalableTimers.Statistics;

namespace ScalableTimers.Tests.Statistics;

public class DurationHistogramTests
{
    [Fact]
    public void IndexOf_AnyDuration_IsWithinBoundsAndItsMiddleWithinASixteenth()
    {
        foreach (var duration in Durations())
        {
            var index = DurationHistogram.IndexOf(duration);
            Assert.InRange(index, 0, DurationHistogram.Length - 1);
            Assert.InRange(Math.Abs(DurationHistogram.MiddleOf(index) - duration), 0, duration / 16.0);
        }
    }

    [Fact]
    public void IndexOf_LongerDuration_IsNotLess() =>
        Assert.All(
            Durations().Order().Select(DurationHistogram.IndexOf).Pairwise(),
            static pair => Assert.True(pair.First <= pair.Second));

    private static IEnumerable<long> Durations()
    {
        var random = new Random(1);
        return Enumerable.Range(0, 5000).Select(static i => (long)i)
            .Concat(
                Enumerable.Range(3, 60).SelectMany(
                    static power => new[] { (1L << power) - 1, 1L << power, (1L << power) + 1 }))
            .Concat(Enumerable.Range(0, 5000).Select(_ => random.NextInt64() >> random.Next(63)))
            .Append(long.MaxValue);
    }
}
