using Orleans.Concurrency;
using Orleans.Placement;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that answers when a test says so; see <see cref="Gate"/>.</summary>
public interface ITimedGrain : IGrainWithGuidKey
{
    /// <summary>Never answers.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task WaitBriefly();

    /// <summary>Answers when the gate is open.</summary>
    Task<int> Wait(Guid gate);

    /// <summary>Answers when the gate is open or the call is cancelled, and notes the latter.</summary>
    Task<int> WaitCancellable(Guid gate, CancellationToken cancellationToken);

    /// <summary>Answers at once.</summary>
    Task Answer();
}

/// <remarks>Its waits end when its silo stops, so they do not delay the stop.</remarks>
[Reentrant]
[RandomPlacement]
internal sealed class TimedGrain(IGrainDelay delay) : Grain, ITimedGrain
{
    public async Task WaitBriefly() => await delay.Delay(Timeout.InfiniteTimeSpan);

    public async Task<int> Wait(Guid gate)
    {
        Gate.Of(gate).Arrived();
        return await await Task.WhenAny(Gate.Of(gate).Opened, EndOfActivation());
    }

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

    public Task Answer() => Task.CompletedTask;

    private async Task<int> EndOfActivation()
    {
        await delay.Delay(Timeout.InfiniteTimeSpan);
        return -1;
    }
}
