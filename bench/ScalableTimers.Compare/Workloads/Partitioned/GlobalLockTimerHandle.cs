namespace ScalableTimers.Compare.Workloads.Partitioned;

/// <summary>
/// What a user of a <see cref="GlobalLockTimer"/> holds. Dropped, it stops the timer, as .NET's do, and pays for its
/// finaliser as they do.
/// </summary>
internal sealed class GlobalLockTimerHandle(GlobalLockTimer timer) : IDisposable
{
    ~GlobalLockTimerHandle() => timer.Remove();

    public void Dispose()
    {
        timer.Remove();
        GC.SuppressFinalize(this);
    }
}
