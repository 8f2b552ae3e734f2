using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What a measured grain timer has in common with one that is not.</summary>
public sealed class MeasuredGrainTimerTests : IAsyncLifetime
{
    private static readonly TimeSpan s_minute = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly MeasuredGrainTimers _timers = new();

    private GrainTimerListener Measured => _timers.Measured;

    private VirtualTimeSilo VirtualTime => _timers.VirtualTime;

    public ValueTask InitializeAsync() => _timers.InitializeAsync();

    public ValueTask DisposeAsync() => _timers.DisposeAsync();

    // Seen to fail with a leased token: the work would have run on.
    [Fact]
    public async Task Token_OfATickThatHasEnded_IsCancelledWhenTheTimerIsDisposed()
    {
        VirtualTime.AdvanceToTick();
        var grain = VirtualTime.Silo.NewGrain();
        CancellationToken kept = default;
        var timer = await grain.Register(s_minute, Timeout.InfiniteTimeSpan, (_, cancellationToken) =>
        {
            kept = cancellationToken;
            return Task.CompletedTask;
        });
        VirtualTime.Clock.Advance(s_minute);
        await UntilEnded(grain, 1);
        Assert.False(kept.IsCancellationRequested);

        timer.Dispose();

        Assert.True(kept.IsCancellationRequested);
    }

    // Seen to fail with a leased token: the second timer's tick had the source of the first one's.
    [Fact]
    public async Task Token_OfATickThatHasEnded_IsNotCancelledWithThatOfAnotherTimer()
    {
        VirtualTime.AdvanceToTick();
        var grain = VirtualTime.Silo.NewGrain();
        CancellationToken kept = default;
        await grain.Register(s_minute, Timeout.InfiniteTimeSpan, (_, cancellationToken) =>
        {
            kept = cancellationToken;
            return Task.CompletedTask;
        });
        VirtualTime.Clock.Advance(s_minute);
        await UntilEnded(grain, 1);
        var ticked = new SemaphoreSlim(0);
        await VirtualTime.Silo.NewGrain().Register(s_minute, Timeout.InfiniteTimeSpan, async (_, cancellationToken) =>
        {
            ticked.Release();
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
        });
        VirtualTime.Clock.Advance(s_minute);
        await ticked.WaitAsync().Guarded("the second timer ticks");
        VirtualTime.Clock.Advance(11 * s_minute);
        await UntilEnded(grain, 2);

        Assert.False(kept.IsCancellationRequested);
    }

    // Seen to fail with lateness that does not know of the waiting tick: 0 and 181 seconds.
    [Fact]
    public async Task Change_ATickWaitsForItsTurn_CountsFromTheEndOfThatTick()
    {
        VirtualTime.AdvanceToTick();
        var grain = VirtualTime.Silo.NewShortLivedGrain();
        var gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var timer = await grain.Register(s_minute, Timeout.InfiniteTimeSpan, static (_, _) => Task.CompletedTask);
        var call = await grain.BeginWait(async _ => await gate.Task);
        VirtualTime.Clock.Advance(s_minute + (20 * s_second));

        timer.Change(3 * s_minute, Timeout.InfiniteTimeSpan);
        gate.SetResult();
        await call;
        await UntilEnded(grain, 1);
        VirtualTime.Clock.Advance((3 * s_minute) + s_second);
        for (var i = 0; i < 100 && Measured.Of(GrainTimerMetrics.DurationName, "timer").Length < 2; i++)
        {
            await grain.Activate();
        }

        Assert.SkipWhen(
            Measured.Of(GrainTimerMetrics.DurationName, "timer").Length < 2,
            "This version of Orleans loses a change that comes while a tick waits for its turn.");
        Assert.Equal([20, 1], Measured.Of(GrainTimerMetrics.LatenessName, "timer"));
    }

    // Seen to fail where the null was awaited: Orleans logged an exception of the callback.
    [Fact]
    public async Task Tick_ItsCallbackReturnsNoTask_EndsWithoutAnException()
    {
        var grain = VirtualTime.Silo.NewGrain();
        await grain.Register(s_minute, Timeout.InfiniteTimeSpan, static (_, _) => null!);
        VirtualTime.Clock.Advance(s_minute);
        await UntilEnded(grain, 1);

        Assert.DoesNotContain(
            VirtualTime.Log.AllEntries,
            static entry => entry.Message.Contains("thrown from timer callback", StringComparison.Ordinal));
    }

    // Seen to fail with the timer itself as the state that Orleans logs.
    [Fact]
    public async Task Log_CallbackFails_NamesTheCallback()
    {
        var grain = VirtualTime.Silo.NewGrain();
        await grain.Get(static self => self.Services.GetRequiredService<ITimerRegistry>().RegisterGrainTimer(
            ((IGrainBase)self).GrainContext,
            FailWith,
            "the state",
            new GrainTimerCreationOptions(s_minute, Timeout.InfiniteTimeSpan)));
        VirtualTime.Clock.Advance(s_minute);
        await UntilEnded(grain, 1);
        await grain.Activate();

        var log = string.Join('\n', VirtualTime.Log.AllEntries);
        Assert.Contains("exception thrown from timer callback", log, StringComparison.Ordinal);
        Assert.Contains("Callback: ", log, StringComparison.Ordinal);
        Assert.Contains("State: 'the state'", log, StringComparison.Ordinal);
        Assert.Contains(nameof(FailWith) + "(", log, StringComparison.Ordinal);
    }

    private static Task FailWith(string state, CancellationToken cancellationToken) =>
        throw new InvalidOperationException(state);

    private Task UntilEnded(IScriptedGrain grain, int count) =>
        _timers.UntilMeasured(grain, GrainTimerMetrics.DurationName, "timer", count);
}
