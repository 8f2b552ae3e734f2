using ScalableTimers.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Statistics;

public sealed class OperationMeasurementTests : IDisposable
{
    private readonly ManualTimeProvider _clock = new();
    private readonly OperationStatistics _statistics;

    public OperationMeasurementTests() => _statistics = new OperationStatistics(clock: _clock);

    public void Dispose() => _statistics.Dispose();

    [Fact]
    public void Equals_SameOperationAndBeginning_IsTrue()
    {
        var one = _statistics.Measure("Foo");
        var other = _statistics.Measure("Foo");

        AssertEqual(true, one, other);
        Assert.Equal(one.GetHashCode(), other.GetHashCode());
    }

    [Fact]
    public void Equals_OtherOperation_IsFalse() =>
        AssertEqual(false, _statistics.Measure("Foo"), _statistics.Measure("Bar"));

    [Fact]
    public void Equals_OtherBeginning_IsFalse()
    {
        var one = _statistics.Measure("Foo");
        _clock.Advance(TimeSpan.FromMilliseconds(1));

        AssertEqual(false, one, _statistics.Measure("Foo"));
    }

    [Fact]
    public void Equals_AnythingElse_IsFalse() => Assert.False(_statistics.Measure("Foo").Equals("Foo"));

    // A negative duration is refused where it is added.
    [Fact]
    public void Dispose_TheClockWentBack_AddsNoTime()
    {
        var clock = new HandClock();
        clock.Skip(TimeSpan.FromSeconds(1));
        using var statistics = new OperationStatistics(clock: clock);
        var measurement = statistics.Measure("Foo");
        clock.Skip(TimeSpan.FromSeconds(-1));

        measurement.Dispose();

        var row = Assert.Single(statistics.Snapshot());
        Assert.Equal((1L, 0.0), (row.Count, row.TotalTimeMs));
    }

    [Fact]
    public void Dispose_Twice_AddsTwice()
    {
        var measurement = _statistics.Measure("Foo");
        _clock.Advance(TimeSpan.FromMilliseconds(2));
        measurement.Dispose();
        _clock.Advance(TimeSpan.FromMilliseconds(3));
        measurement.Dispose();

        var row = Assert.Single(_statistics.Snapshot());
        Assert.Equal((2L, 2.0, 5.0), (row.Count, row.MinTimeMs, row.MaxTimeMs));
    }

    private static void AssertEqual(bool expected, OperationMeasurement one, OperationMeasurement other)
    {
        Assert.Equal(expected, one == other);
        Assert.Equal(!expected, one != other);
        Assert.Equal(expected, one.Equals(other));
        Assert.Equal(expected, one.Equals((object)other));
    }
}
