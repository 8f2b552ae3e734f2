using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>A timer that starts itself again whenever it fires.</summary>
internal abstract class Beat(Beats beats)
{
    private readonly TaskCompletionSource _ended = new();
    private int _next = beats.FirstDueTime();
    private long _dueAt;

    internal Task Ended => _ended.Task;

    internal abstract void Start(TimeSpan dueTime);

    /// <summary>Returns the next due time, which counts from now.</summary>
    internal TimeSpan NextDueTime()
    {
        var dueTime = beats.DueTimes[_next++];
        _dueAt = Stopwatch.GetTimestamp() + (long)(dueTime.TotalSeconds * Stopwatch.Frequency);
        return dueTime;
    }

    /// <summary>Called by each firing.</summary>
    /// <returns>Whether another firing has to follow.</returns>
    protected bool HasFired()
    {
        if (beats.Note(Stopwatch.GetTimestamp() - _dueAt))
        {
            return true;
        }

        _ended.SetResult();
        return false;
    }

    protected static void Fire(object? beat)
    {
        var self = (Beat)beat!;
        if (self.HasFired())
        {
            self.Start(self.NextDueTime());
        }
    }
}
