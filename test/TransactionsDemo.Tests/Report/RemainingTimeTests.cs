using ScalableTimers.Testing;
using TransactionsDemo.Report;

namespace TransactionsDemo.Tests.Report;

public class RemainingTimeTests
{
    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Estimate_BeforeAStepHasEnded_GoesByWhatIsExpected()
    {
        var remaining = new RemainingTime(4, TimeSpan.FromSeconds(10), _clock);
        _clock.Advance(TimeSpan.FromSeconds(3));

        Assert.Equal(TimeSpan.FromSeconds(37), remaining.Estimate());
        Assert.Equal("about 37 s left", remaining.ToString());
    }

    [Fact]
    public void Estimate_AfterASlowStep_GoesByIt()
    {
        var remaining = new RemainingTime(4, TimeSpan.FromSeconds(10), _clock);
        _clock.Advance(TimeSpan.FromSeconds(20));
        remaining.FinishStep();
        _clock.Advance(TimeSpan.FromSeconds(5));

        Assert.Equal(TimeSpan.FromSeconds(55), remaining.Estimate());
    }

    [Fact]
    public void Estimate_OfAStepThatIsOverdue_LeavesTheOthers()
    {
        var remaining = new RemainingTime(3, TimeSpan.FromSeconds(10), _clock);
        _clock.Advance(TimeSpan.FromSeconds(99));

        Assert.Equal(TimeSpan.FromSeconds(20), remaining.Estimate());
    }

    [Fact]
    public void Estimate_AtTheEnd_IsZero()
    {
        var remaining = new RemainingTime(1, TimeSpan.FromSeconds(10), _clock);
        remaining.FinishStep();

        Assert.Equal("about 0 s left", remaining.ToString());
    }
}
