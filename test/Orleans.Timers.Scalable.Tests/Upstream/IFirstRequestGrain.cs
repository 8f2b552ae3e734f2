namespace Orleans.Timers.Scalable.Tests.Upstream;

internal interface IFirstRequestGrain : IGrainWithGuidKey
{
    /// <summary>Whether a message to the grain can be handed over while this request runs without a pause.</summary>
    Task<bool> CanBeReached();

    Task Ping();
}
