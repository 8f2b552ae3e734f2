namespace ScalableTimers.Firing;

/// <summary>
/// A thread's execution and synchronization contexts, saved before user code runs on it and restored afterwards.
/// </summary>
internal readonly struct ThreadContext
{
    private readonly ExecutionContext _execution;
    private readonly SynchronizationContext? _synchronization = SynchronizationContext.Current;
    private readonly bool _isFlowSuppressed;

    public ThreadContext()
    {
        var execution = ExecutionContext.Capture();
        if (execution is null)
        {
            // While a thread suppresses the flow of its context, Capture returns null, which cannot be restored later.
            // So let the context flow until then.
            ExecutionContext.RestoreFlow();
            _isFlowSuppressed = true;
            execution = ExecutionContext.Capture()!;
        }

        _execution = execution;
    }

    internal void Restore()
    {
        if (!ReferenceEquals(ExecutionContext.Capture(), _execution))
        {
            ExecutionContext.Restore(_execution);
        }

        if (!ReferenceEquals(SynchronizationContext.Current, _synchronization))
        {
            SynchronizationContext.SetSynchronizationContext(_synchronization);
        }

        if (_isFlowSuppressed)
        {
            ExecutionContext.SuppressFlow();
        }
    }
}
