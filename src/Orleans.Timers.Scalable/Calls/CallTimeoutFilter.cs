using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization.Invocation;

namespace Orleans.Timers.Scalable.Calls;

/// <summary>Bounds outgoing calls by <see cref="CallTimeout"/>.</summary>
internal sealed class CallTimeoutFilter(CallTimers timers, IServiceProvider services) : IOutgoingGrainCallFilter
{
    // Orleans' own runtime depends on the filters, so it cannot be resolved in the constructor.
    private IGrainReferenceRuntime? _runtime;

    public Task Invoke(IOutgoingGrainCallContext context) =>
        CallTimeout.Current is { } timeout
            && !timers.IsOff
            && ApplicationCalls.Include(context.Request, context.TargetId)
            ? InvokeBounded(context, timeout)
            : context.Invoke();

    /// <remarks>
    /// <para>
    /// The filter makes a new call, and the original call ends with the new one or with the timeout. The call cannot
    /// continue in the same context, because the context counts the running filters. If this filter returned before the
    /// later ones, they would continue at the wrong filter: one that waits before it calls (a limiter) would re-enter
    /// itself, and one that calls again (a retry) would start at another filter.
    /// </para>
    /// <para>
    /// Changes that an asynchronous method makes to the execution context end with the method. So the caller keeps the
    /// timeout that is lifted here.
    /// </para>
    /// </remarks>
    private async Task InvokeBounded(IOutgoingGrainCallContext context, TimeSpan timeout)
    {
        var request = (IRequest)context.Request;
        var callersToken = request.GetCancellationToken();
        var transaction = TransactionSupport.Instance.JoinedBy(request, timers);
        var cancellation = MakeCancellable(request, callersToken);
        var runtime = _runtime ??= services.GetRequiredService<IGrainReferenceRuntime>();
        CallTimeout.Lift();

        // Orleans forks the transaction when the call leaves, but another filter may wait before that. Until then a
        // method that does not await the call must not commit.
        using var held = transaction?.Hold();
        var call = runtime.InvokeMethodAsync<object?>((GrainReference)context.Grain, request, request.Options);
        context.Result = await (Task<object?>)TimedCall<object?>.Run(
            timers.Service, call.AsTask(), timeout, cancellation, context, transaction, callersToken);
    }

    /// <summary>
    /// If the call's method takes a token, replaces it with a linked one that this filter can cancel.
    /// </summary>
    /// <remarks>
    /// The argument is not restored: once the call has left, the request may belong to the callee, which has put its
    /// own token there.
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
