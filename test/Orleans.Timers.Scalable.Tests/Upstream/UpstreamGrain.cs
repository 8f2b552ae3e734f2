using System.Collections.Concurrent;
using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests.Upstream;

[Reentrant]
internal sealed class UpstreamGrain : Grain, IUpstreamGrain
{
    /// <summary>The actions of the grains, in their order. A test reads those of its own grain.</summary>
    internal static ConcurrentDictionary<GrainId, ConcurrentQueue<string>> Log { get; } = new();

    public Task AnswerTooLate() => Task.Delay(TimeSpan.FromSeconds(3));

    public async Task HoldFor(TimeSpan duration)
    {
        await Task.Delay(duration);
        Note("a call has ended");
    }

    public async Task HoldUntil(TimeSpan duration, CancellationToken cancellationToken) =>
        await Task.Delay(duration, cancellationToken);

    public Task Join(TimeSpan duration) => Task.Delay(duration);

    public async Task AddAndLoseACall(string account, IUpstreamGrain lost)
    {
        await GrainFactory.GetGrain<IAccountGrain>(account).Add(10);
        lost.Join(TimeSpan.FromSeconds(1)).Ignore();
    }

    public async Task AskWhenTheCallerHasGivenUp(IUpstreamGrain other)
    {
        // Response timeouts are up to a second late.
        await Task.Delay(TimeSpan.FromSeconds(2));
        await other.HoldFor(TimeSpan.Zero);
    }

    public async Task CallItself(TimeSpan after)
    {
        await Task.Delay(after);
        await this.AsReference<IUpstreamGrain>().Answer();
    }

    public Task Answer() => Task.CompletedTask;

    public async Task BeginTick(TimeSpan duration)
    {
        var begun = new TaskCompletionSource();
        _ = this.RegisterGrainTimer(
            async cancellationToken =>
            {
                begun.SetResult();
                await Task.Delay(duration, cancellationToken).ConfigureAwait(
                    ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
                Note(
                    cancellationToken.IsCancellationRequested
                        ? "the tick was cancelled"
                        : "the tick has taken its time");
            },
            new GrainTimerCreationOptions(TimeSpan.Zero, Timeout.InfiniteTimeSpan));
        await begun.Task;
    }

    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        Note("OnDeactivateAsync");
        return Task.CompletedTask;
    }

    private void Note(string what) =>
        Log.GetOrAdd(this.GetGrainId(), static _ => new ConcurrentQueue<string>()).Enqueue(what);
}
