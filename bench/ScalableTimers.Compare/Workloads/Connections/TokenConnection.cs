namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>A connection that is a loop around an awaited delay, which a token ends.</summary>
internal abstract class TokenConnection(Renewals renewals) : Connection(renewals)
{
    private CancellationTokenSource? _source;

    protected sealed override void Start(TimeSpan dueTime)
    {
        _source = new CancellationTokenSource();
        _ = RunAsync(dueTime, _source.Token);
    }

    protected sealed override void Stop()
    {
        _source!.Cancel();
        _source.Dispose();
    }

    protected abstract Task RunAsync(TimeSpan dueTime, CancellationToken token);
}
