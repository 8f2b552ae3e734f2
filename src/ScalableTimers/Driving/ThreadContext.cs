namespace ScalableTimers.Driving;

/// <summary>The execution and synchronization contexts of a thread, kept while user code runs on it and put back afterwards.</summary>
internal readonly struct ThreadContext()
{
    private readonly ExecutionContext? _execution = ExecutionContext.Capture();
    private readonly SynchronizationContext? _synchronization = SynchronizationContext.Current;

    internal void Restore()
    {
        if (!ReferenceEquals(ExecutionContext.Capture(), _execution) && _execution is not null)
        {
            ExecutionContext.Restore(_execution);
        }

        if (!ReferenceEquals(SynchronizationContext.Current, _synchronization))
        {
            SynchronizationContext.SetSynchronizationContext(_synchronization);
        }
    }
}
