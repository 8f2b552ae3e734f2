using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that is an observer, too.</summary>
/// <remarks>Its waits end when its silo stops, so they do not delay the stop.</remarks>
[Reentrant]
[RandomPlacement]
internal sealed class TimedGrain(IGrainDelay delay) : Grain, ITimedGrain, ITimedObserver
{
    public async Task WaitBriefly() => await delay.Delay(Timeout.InfiniteTimeSpan);

    public Task WaitAWhile() => WaitBriefly();

    public async Task<int> Wait(Guid gate)
    {
        Gate.Of(gate).Arrived();
        return await await Task.WhenAny(Gate.Of(gate).Opened, EndOfActivation());
    }

    public Task<int> Ask(Guid gate) => Wait(gate);

    public async ValueTask<int> WaitAsValueTask(Guid gate) => await Wait(gate);

    public async Task<int> WaitCancellable(Guid gate, CancellationToken cancellationToken)
    {
        Gate.Of(gate).Arrived();
        try
        {
            return await Gate.Of(gate).Opened.WaitAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            Gate.Of(gate).Cancelled();
            throw;
        }
    }

    public Task<int> WaitForOther(ITimedGrain other, Guid gate) => other.Wait(gate);

    public Task<TimeSpan?> InheritedTimeout() => Task.FromResult(CallTimeout.Current);

    public Task Open(Guid gate)
    {
        Gate.Of(gate).Open(0);
        return Task.CompletedTask;
    }

    private async Task<int> EndOfActivation()
    {
        await delay.Delay(Timeout.InfiniteTimeSpan);
        return -1;
    }
}
