using Orleans.Serialization.Invocation;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Bounds outgoing calls by <see cref="CallTimeout"/>.</summary>
#pragma warning disable CS9113 // The metrics are named so that they exist where there is something to measure.
internal sealed class CallTimeoutFilter(TimerService timers, CallTimeoutMetrics metrics) : IOutgoingGrainCallFilter
#pragma warning restore CS9113
{
    public Task Invoke(IOutgoingGrainCallContext context) =>
        RequestContext.Get(CallTimeout.RequestContextKey) is null ? context.Invoke() : InvokeBounded(context);

    /// <remarks>What an asynchronous method does to the request context ends with it, so the caller keeps the value that is removed here.</remarks>
    private async Task InvokeBounded(IOutgoingGrainCallContext context)
    {
        var timeout = CallTimeout.Take(timers);
        if (timeout == Timeout.InfiniteTimeSpan || !BoundCalls.Include(context.Request, context.TargetId))
        {
            await context.Invoke();
            return;
        }

        var callersToken = context.Request.GetCancellationToken();
        var cancellation = MakeCancellable(context.Request, callersToken);
        await BoundedCall.Run(timers, context.Invoke(), timeout, cancellation, context, CallTransaction.JoinedBy(context.Request), callersToken);
    }

    /// <summary>Gives a call whose method takes a token one that we can cancel, and that the caller's cancels too.</summary>
    /// <remarks>
    /// The argument is not put back: once the call has left, the request may be the callee's, which has put its own token there.
    /// </remarks>
    private static CancellationTokenSource? MakeCancellable(IInvokable request, CancellationToken callersToken)
    {
        for (var i = 0; request.IsCancellable && i < request.GetArgumentCount(); i++)
        {
            if (request.GetArgument(i) is CancellationToken)
            {
                var cancellation = CancellationTokenSource.CreateLinkedTokenSource(callersToken);
                request.SetArgument(i, cancellation.Token);
                return cancellation;
            }
        }

        return null;
    }
}
