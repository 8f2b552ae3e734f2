namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that requests its delays only when it deactivates.</summary>
public interface ILateGrain : IGrainWithGuidKey
{
    Task Activate();
}
