namespace Orleans.Timers.Scalable;

/// <summary>Measures how long sampled requests waited, and remembers requests that ran long.</summary>
internal sealed class IncomingDiagnosticsFilter(CallDiagnostics diagnostics, EndedRequests ended)
    : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context)
    {
        var mark = QueueTimeHeader.Take();
        if (mark != default && diagnostics.QueueTime.WaitedIfKnown(context, mark) is { } waited)
        {
            diagnostics.Metrics.Waited(context.Request, waited);
        }

        var start = TimeProvider.System.GetTimestamp();
        var run = context.Invoke();
        if (!run.IsCompleted)
        {
            return Await(run, context, start);
        }

        OnEnd(context, start);
        return run;
    }

    private async Task Await(Task run, IIncomingGrainCallContext context, long start)
    {
        try
        {
            await run;
        }
        finally
        {
            OnEnd(context, start);
        }
    }

    private void OnEnd(IIncomingGrainCallContext context, long start)
    {
        var end = TimeProvider.System.GetTimestamp();
        var ran = TimeProvider.System.GetElapsedTime(start, end);
        if (ran >= EndedRequests.Long)
        {
            var sent = RuntimeShape.Current?.Sent(context);
            ended.Add(new EndedRequest(
                context.TargetId,
                sent?.Sender,
                sent?.Id,
                $"{context.InterfaceName}.{context.MethodName}",
                ran,
                end));
        }
    }
}
