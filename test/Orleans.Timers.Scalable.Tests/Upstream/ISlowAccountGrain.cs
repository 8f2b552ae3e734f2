namespace Orleans.Timers.Scalable.Tests.Upstream;

public interface ISlowAccountGrain : IGrainWithGuidKey
{
    /// <summary>The only participant is this grain.</summary>
    [Transaction(TransactionOption.Create)]
    [ResponseTimeout("00:00:20")]
    Task AddSlowly(int amount, TimeSpan duration);
}
