using System.Collections.Concurrent;
using Orleans.DurableJobs;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A grain that schedules a durable job for itself.</summary>
public interface IJobGrain : IGrainWithGuidKey
{
    /// <summary>Schedules the job.</summary>
    Task Schedule(DateTimeOffset dueTime);
}

internal sealed class JobGrain(ILocalDurableJobManager jobs) : Grain, IJobGrain, IDurableJobHandler
{
    /// <summary>When the job of each grain ran. All silos share the process.</summary>
    internal static readonly ConcurrentDictionary<Guid, TaskCompletionSource<DateTimeOffset>> Ran = new();

    public Task Schedule(DateTimeOffset dueTime) => jobs.ScheduleJobAsync(
        new ScheduleJobRequest { Target = this.GetGrainId(), JobName = "job", DueTime = dueTime },
        CancellationToken.None);

    public Task ExecuteJobAsync(IJobRunContext context, CancellationToken cancellationToken)
    {
        Ran[this.GetPrimaryKey()].TrySetResult(DateTimeOffset.UtcNow);
        return Task.CompletedTask;
    }
}
