namespace Orleans.Timers.Scalable.Tests.Upstream;

public interface IUpstreamGrain : IGrainWithGuidKey
{
    [ResponseTimeout("00:00:00.200")]
    Task AnswerTooLate();

    Task HoldFor(TimeSpan duration);

    Task HoldUntil(TimeSpan duration, CancellationToken cancellationToken);

    /// <summary>Takes part in its caller's transaction for a while.</summary>
    [Transaction(TransactionOption.Join)]
    Task Join(TimeSpan duration);

    /// <summary>Adds to an account, and makes a call that it does not wait for.</summary>
    [Transaction(TransactionOption.Join)]
    Task AddAndLoseACall(string account, IUpstreamGrain lost);

    /// <summary>Calls another grain, but only when its own caller has given up.</summary>
    [ResponseTimeout("00:00:00.200")]
    Task AskWhenTheCallerHasGivenUp(IUpstreamGrain other);

    /// <summary>Calls <see cref="Answer"/> of the same grain after a while.</summary>
    Task CallItself(TimeSpan after);

    [ResponseTimeout("00:00:01")]
    Task Answer();

    /// <summary>Waits for a tick of a grain timer to begin, which awaits its token for a while.</summary>
    Task BeginTick(TimeSpan duration);
}
