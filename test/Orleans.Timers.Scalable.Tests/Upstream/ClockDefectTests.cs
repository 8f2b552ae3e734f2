using System.Reflection;

namespace Orleans.Timers.Scalable.Tests.Upstream;

/// <summary>How Orleans waits on a <see cref="TimeProvider"/>.</summary>
public sealed class ClockDefectTests
{
    [Fact]
    public async Task Wait_FractionOfAMillisecondIsLeft_AsksTheClockAgainAndAgain()
    {
        var wait = Assembly.Load("Orleans.Core").GetType(
            "Orleans.Internal.TimeProviderExtensions")?.GetMethod("DelayUntilAsync");
        Assert.SkipWhen(wait is null, "This version of Orleans does not wait until a time.");

        var clock = new StandingClock();
        var due = clock.Now + TimeSpan.FromMicroseconds(500);
        await ((Task)wait.Invoke(null, [clock, due, TestContext.Current.CancellationToken])!)
            .Guarded("the clock has gone on");

        Defect.ShowsAgain(clock.Reads >= 1000, "A wait for a fraction of a millisecond spins");
    }

    /// <summary>A clock that advances by a millisecond after each thousand readings.</summary>
    private sealed class StandingClock : TimeProvider
    {
        internal DateTimeOffset Now { get; } = DateTimeOffset.UnixEpoch;

        internal int Reads { get; private set; }

        public override DateTimeOffset GetUtcNow() => Now + TimeSpan.FromMilliseconds(++Reads / 1000);
    }
}
