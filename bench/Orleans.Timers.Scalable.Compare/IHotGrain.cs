namespace Orleans.Timers.Scalable.Compare;

/// <summary>A grain with work that takes a processor.</summary>
public interface IHotGrain : IGrainWithIntegerKey
{
    /// <summary>Keeps a processor busy, and returns how many of these requests have run before.</summary>
    ValueTask<long> Work(TimeSpan duration);
}
