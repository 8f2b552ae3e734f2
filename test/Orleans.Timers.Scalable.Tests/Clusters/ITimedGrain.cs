namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that answers when a test says so; see <see cref="Gate"/>.</summary>
public interface ITimedGrain : IGrainWithGuidKey
{
    /// <summary>Never answers.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task WaitBriefly();

    /// <summary>
    /// Never answers. Its response timeout is so long that a busy machine can do something else meanwhile.
    /// </summary>
    [ResponseTimeout("00:00:03")]
    Task WaitAWhile();

    /// <summary>Answers when the gate is open.</summary>
    Task<int> Wait(Guid gate);

    /// <summary>Answers when the gate is open.</summary>
    ValueTask<int> WaitAsValueTask(Guid gate);

    /// <summary>Answers when the gate is open or the call is cancelled, and notes the latter.</summary>
    Task<int> WaitCancellable(Guid gate, CancellationToken cancellationToken);

    /// <summary>Calls another grain's <see cref="Wait"/>.</summary>
    Task<int> WaitForOther(ITimedGrain other, Guid gate);

    /// <summary>The value that the callee finds in its request context.</summary>
    Task<TimeSpan?> InheritedTimeout();

    /// <summary>Opens a gate by a one-way call.</summary>
    [Orleans.Concurrency.OneWay]
    Task Open(Guid gate);
}
