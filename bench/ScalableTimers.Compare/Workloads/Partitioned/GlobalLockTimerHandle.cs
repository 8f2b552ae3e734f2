namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>
/// The handle of a <see cref="GlobalLockTimer"/> for its user. A handle that is dropped stops the timer and has the
/// cost of a finaliser, as .NET's have.
/// </summary>
internal sealed class GlobalLockTimerHandle(GlobalLockTimer timer) : IDisposable
{
    ~GlobalLockTimerHandle() => timer.Remove();

    /// <summary>Starts a timer again that has fired or is pending.</summary>
    internal void Change(TimeSpan dueTime) => timer.Change(dueTime);

    public void Dispose()
    {
        timer.Remove();
        GC.SuppressFinalize(this);
    }
}
