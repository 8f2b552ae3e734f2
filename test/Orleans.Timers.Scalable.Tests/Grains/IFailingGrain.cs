namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain whose construction fails.</summary>
public interface IFailingGrain : IGrainWithGuidKey
{
    Task Activate();
}
