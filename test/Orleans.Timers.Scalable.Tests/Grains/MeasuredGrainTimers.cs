using System.Diagnostics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A silo in virtual time that measures its grain timers, and what it has measured.</summary>
public sealed class MeasuredGrainTimers : IAsyncLifetime
{
    internal GrainTimerListener Measured { get; } = new();

    internal VirtualTimeSilo VirtualTime { get; } = new(
        static silo => silo.MeasureGrainTimers(static timers => timers.LongestTick = TimeSpan.FromMinutes(10)));

    public async ValueTask InitializeAsync() => await VirtualTime.InitializeAsync();

    public async ValueTask DisposeAsync()
    {
        Measured.Dispose();
        await VirtualTime.DisposeAsync();
    }

    internal async Task UntilMeasured(IScriptedGrain grain, string instrument, string kind, int count)
    {
        var begun = Stopwatch.GetTimestamp();
        while (Measured.Of(instrument, kind).Length < count)
        {
            Assert.True(Stopwatch.GetElapsedTime(begun) < HangGuard.Limit, "Nothing is measured.");
            await grain.Activate();
        }

        // Orleans sets the timer for its next tick in a turn that has been queued when the measuring one is over. It
        // comes before the second of two calls.
        await grain.Activate();
        await grain.Activate();
    }
}
