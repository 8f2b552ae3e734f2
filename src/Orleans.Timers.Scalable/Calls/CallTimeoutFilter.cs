using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization.Invocation;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>Bounds outgoing calls by <see cref="CallTimeout"/>.</summary>
#pragma warning disable CS9113 // The metrics are named so that they exist where there is something to measure.
internal sealed class CallTimeoutFilter(TimerService timers, IServiceProvider services, CallTimeoutMetrics metrics) : IOutgoingGrainCallFilter
#pragma warning restore CS9113
{
    // Orleans' own, which is made of the filters, so that it cannot be asked for before.
    private IGrainReferenceRuntime? _runtime;

    public Task Invoke(IOutgoingGrainCallContext context) =>
        CallTimeout.Current is { } timeout && BoundCalls.Include(context.Request, context.TargetId) ? InvokeBounded(context, timeout) : context.Invoke();

    /// <remarks>
    /// <para>
    /// The call is made anew and this one ends with it, or without it. It cannot be made by the same context: that counts the filters that are
    /// at work, and when one leaves while those behind it have not returned, they go on at the wrong one. One that waits before
    /// it calls (a limiter) would enter itself again, and one that calls again (a retry) would begin at another filter.
    /// </para>
    /// <para>What an asynchronous method does to the execution context ends with it, so the caller keeps the timeout that is lifted here.</para>
    /// </remarks>
    private async Task InvokeBounded(IOutgoingGrainCallContext context, TimeSpan timeout)
    {
        var request = (IRequest)context.Request;
        var callersToken = request.GetCancellationToken();
        var cancellation = MakeCancellable(request, callersToken);
        var transaction = CallTransaction.JoinedBy(request);
        var runtime = _runtime ??= services.GetRequiredService<IGrainReferenceRuntime>();
        CallTimeout.Lift();

        // Orleans forks the transaction when the call leaves. Another filter may wait before, and a method that does not wait for the call must not commit meanwhile.
        var pending = transaction?.Fork();
        try
        {
            var call = runtime.InvokeMethodAsync<object?>((GrainReference)context.Grain, request, request.Options).AsTask();
            context.Result = await BoundedCall.Run(timers, call, timeout, cancellation, context, transaction, callersToken);
        }
        finally
        {
            transaction?.Join(pending!);
        }
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
