namespace Orleans.Timers.Scalable.Tests.Upstream;

public interface IUpstreamGrain : IGrainWithGuidKey
{
    [ResponseTimeout("00:00:00.200")]
    Task AnswerTooLate();

    Task HoldFor(TimeSpan duration);

    Task HoldUntil(TimeSpan duration, CancellationToken cancellationToken);

    /// <summary>Asks another grain, but only when its own caller has given up.</summary>
    [ResponseTimeout("00:00:00.200")]
    Task AskWhenTheCallerHasGivenUp(IUpstreamGrain other);

    /// <summary>Calls <see cref="Answer"/> of the very same grain, after a while.</summary>
    Task CallItself(TimeSpan after);

    [ResponseTimeout("00:00:01")]
    Task Answer();

    /// <summary>Waits for a tick of a grain timer to begin, which awaits its token for a while.</summary>
    Task BeginTick(TimeSpan duration);
}
