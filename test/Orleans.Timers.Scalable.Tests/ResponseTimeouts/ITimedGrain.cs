namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain with a response timeout of its own.</summary>
public interface ITimedGrain : IGrainWithGuidKey
{
    /// <summary>Never answers.</summary>
    [ResponseTimeout("00:00:00.2")]
    Task WaitBriefly();
}
