namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that asks for its delays only when it deactivates.</summary>
public interface ILateGrain : IGrainWithGuidKey
{
    Task Activate();
}
