namespace Orleans.Timers.Scalable.Tests.Documentation;

public interface ICounterGrain : IGrainWithIntegerKey
{
    /// <summary>Adds one, and returns the sum.</summary>
    Task<int> Increment();
}
