namespace Orleans.Timers.Scalable.Compare;

/// <summary>A grain whose work is CPU-bound.</summary>
public interface IHotGrain : IGrainWithIntegerKey
{
    /// <summary>Keeps a processor busy, and returns how many of these requests ran before.</summary>
    ValueTask<long> Work(TimeSpan duration);
}
