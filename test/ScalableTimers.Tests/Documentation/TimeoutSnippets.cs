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
}
