using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// Delays that each cancel the next one's token when their own is cancelled. Each link of the chain runs on the
/// previous one's stack while there is room.
/// </summary>
/// <remarks>A chain that overflows the stack ends the process that runs the tests, with a trace of the chain.</remarks>
public sealed class CancellationChainTests : IDisposable
{
    private const int Links = 10_000;
    private const int SmallStack = 256 * 1024;

    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    private readonly HandClock _clock = new();
    private readonly List<CancellationTokenSource> _sources =
        [.. Enumerable.Range(0, Links).Select(static _ => new CancellationTokenSource())];

    public void Dispose() => _sources.ForEach(static source => source.Dispose());

    // Seen to fail when DelayEntry.Complete ignores the stack in choosing where continuations run: the stack
    // overflowed.
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Delay_EachCancelsTheNextOnASmallStack_AllEnd(bool isCancelledByItsOwner, bool isReported)
    {
        using var service = Services.OnThePool(_clock);
        Task[] waiters = [];
        void Begin() => waiters =
        [
            .. Enumerable.Range(0, Links).Select(i => isReported ? TryWaitAsync(service, i) : WaitAsync(service, i))
        ];

        if (!isCancelledByItsOwner)
        {
            Wait.ForThread(Begin);
        }

        var thread = new TestThread(
            () =>
        {
            if (isCancelledByItsOwner)
            {
                Begin();
            }

            _sources[0].Cancel();
        },
            SmallStack);
        thread.Start();
        thread.End();

        await Wait.For(Task.WhenAll(waiters), "the end of every delay");
        Assert.Equal((0L, (long)Links), (service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
    }

    private async Task WaitAsync(TimerService service, int number)
    {
        try
        {
            await service.Delay(s_hour, _sources[number].Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            CancelNext(number);
        }
    }

    private async Task TryWaitAsync(TimerService service, int number)
    {
        if (!await service.TryDelay(s_hour, _sources[number].Token).ConfigureAwait(false))
        {
            CancelNext(number);
        }
    }

    private void CancelNext(int number)
    {
        if (number + 1 < Links)
        {
            _sources[number + 1].Cancel();
        }
    }
}
