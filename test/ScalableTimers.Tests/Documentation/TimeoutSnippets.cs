using Microsoft.Extensions.Time.Testing;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The code of the page on timeout tokens.</summary>
public sealed class TimeoutSnippets : IDisposable
{
    private readonly FakeTimeProvider _clock = new();
    private readonly TimerService _timers;

    public TimeoutSnippets() => _timers = new TimerService(new(), clock: _clock);

    public void Dispose() => _timers.Dispose();

    [Fact]
    public async Task Poll_NothingIsUploaded_IsEmptyWhenTheTimeoutHasPassed()
    {
        var uploads = new TaskCompletionSource<byte[]>();
        var answer = Poll(uploads.Task, _timers);

        _clock.Advance(TimeSpan.FromSeconds(30));

        Assert.Empty(await Wait.For(answer, "the poll"));
    }

    [Fact]
    public async Task Read_TimesOut_SaysSo()
    {
        using var caller = new CancellationTokenSource();
        var read = Read(static token => Task.Delay(Timeout.Infinite, token), _timers, caller.Token);

        _clock.Advance(TimeSpan.FromSeconds(30));

        await Assert.ThrowsAsync<TimeoutException>(() => Wait.For(read, "the read"));
    }

    private static async Task<byte[]> Poll(Task<byte[]> upload, TimerService timers)
    {
        try
        {
            return await upload.WaitAsync(timers.GetTimeoutToken(TimeSpan.FromSeconds(30)));
        }
        catch (OperationCanceledException)
        {
            return [];
        }
    }

    private static async Task Read(
        Func<CancellationToken, Task> read, TimerService timers, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(30), timers.TimeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            await read(either.Token);
        }
        catch (OperationCanceledException) when (timeout.IsCancellationRequested)
        {
            throw new TimeoutException("Nothing could be read for 30 seconds.");
        }
    }
}
