using ScalableTimers.Tests.Clock;
using System.Reflection;
using ScalableTimers.Queues;
using ScalableTimers.Timers;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P4: cancel takes effect before it returns; callback and state are released; a handle from an earlier use cancels
/// nothing.
/// </summary>
public class P4_CancelTakesEffectTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Cancel_BeforeItReturns_IsNoLongerPending()
    {
        using var service = new TimerService(new(), clock: _clock);
        var timers = Enumerable.Range(0, 1_000)
            .Select(_ => service.Schedule(static _ => Assert.Fail("Cancelled."), null, s_second))
            .ToList();
        for (var i = 0; i < timers.Count; i++)
        {
            Assert.True(timers[i].Cancel());
            Assert.Equal(timers.Count - 1 - i, service.GetSnapshot().Pending);
        }

        _clock.Advance(s_second);
        Assert.Equal((0L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Failed));
    }

    [Fact]
    public void Cancel_OfADelayByItsToken_EndsItBeforeItReturns()
    {
        // Orleans' own delays notice the cancellation at the next sweep, after 24 ms on average.
        using var service = new TimerService(new(), clock: _clock);
        using var source = new CancellationTokenSource();
        var delay = service.TryDelay(s_second, source.Token);

        source.Cancel();

        Assert.Equal((0L, 1L), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
        _clock.Advance(s_second);
        Assert.False(delay.Read());
    }

    [Fact]
    public async Task Cancel_CallbackIsAlreadyQueued_ReturnsFalse()
    {
        // On a server, the timeout may expire, then the request end, and only then the pool run the callback. A token
        // source returned to its pool in between would be cancelled in the hands of its next user.
        await using var service = Services.OnThePool(_clock);
        using var ended = new ManualResetEventSlim();
        using var cancelled = new ManualResetEventSlim();
        using var source = new CancellationTokenSource();
        var timer = service.Schedule(
            _ =>
            {
                Wait.For(ended, "the request has ended");
                source.Cancel();
                cancelled.Set();
            },
            null,
            s_second);
        _clock.Advance(s_second);

        Assert.False(timer.Cancel());
        Assert.False(source.IsCancellationRequested);
        ended.Set();
        Wait.For(cancelled, "the queued callback ran");
        await service.DisposeAsync();
        Assert.Equal((1L, 0L), (service.GetSnapshot().Fired, service.GetSnapshot().Cancelled));
    }

    [Theory]
    [InlineData(1L << 16)]
    [InlineData(1L << 32)]
    public void Cancel_EntryReusedAPowerOfTwoTimes_CancelsNothing(long reuses)
    {
        using var service = new TimerService(new(), clock: _clock);
        var stale = service.Schedule(static _ => { }, null, s_second);
        stale.Cancel();

        // Skips all uses of the entry but two, which follow. A use counter with fewer bits would wrap around.
        var entry = (CallbackEntry)Services.Field(stale, "_entry")!;
        AddLives(entry, reuses - 2);
        service.Schedule(static _ => { }, null, s_second).Cancel();
        var fired = 0;
        var current = service.Schedule(_ => fired++, null, s_second);
        Assert.Same(entry, Services.Field(current, "_entry"));

        Assert.False(stale.Cancel());
        Assert.False(stale.Reschedule(TimeSpan.FromHours(1)));
        _clock.Advance(s_second);

        Assert.Equal(1, fired);
    }

    private static void AddLives(CallbackEntry entry, long lives)
    {
        const BindingFlags Fields = BindingFlags.Instance | BindingFlags.NonPublic;
        var state = typeof(CallbackEntry).GetField("_word", Fields)!;
        var word = typeof(EntryState).GetField("_word", Fields)!;
        var value = state.GetValue(entry)!;
        word.SetValue(value, (long)word.GetValue(value)! + (lives << 4));
        state.SetValue(entry, value);
    }
}
