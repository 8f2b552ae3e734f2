namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that has a durable job run by itself.</summary>
public interface IJobGrain : IGrainWithGuidKey
{
    /// <summary>Schedules the job.</summary>
    Task Schedule(DateTimeOffset dueTime);
}
