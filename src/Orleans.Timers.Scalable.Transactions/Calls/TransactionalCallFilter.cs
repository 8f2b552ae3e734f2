using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization.Invocation;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Transactions.Calls;

/// <summary>
/// Fails a caller's transaction when a method that it called has failed its part, even if the caller catches the
/// exception.
/// </summary>
/// <remarks>
/// Orleans records the exception that a method ends with in the transaction that its answer brings back, so a caller
/// that catches it cannot commit. But Orleans records no exception if a call that the method made has not come back,
/// because it timed out, was refused, was cancelled by a token or was not awaited. The method then ends with
/// <see cref="OrleansOrphanCallException"/>. Its caller could catch that, do something else instead, and commit it
/// together with what the method had done before. The filter also passes aborts on to lost callees.
/// </remarks>
internal sealed class TransactionalCallFilter(TimerService timers, IServiceProvider services) : IIncomingGrainCallFilter
{
    public Task Invoke(IIncomingGrainCallContext context) => context.Request switch
    {
        TransactionRequestBase { TransactionInfo: not null } => InvokeTransactional(context),
        TransactionRequestBase request when LostCallee.Read(request) is { } callee => Abort(context, callee),
        _ => context.Invoke(),
    };

    private static async Task InvokeTransactional(IIncomingGrainCallContext context)
    {
        await context.Invoke();
        if (context.Response is TransactionResponse response
            && response.TransactionInfo is { OriginalException: null } transaction
            && response.GetException() is { } exception)
        {
            CallTransaction.Record(transaction, exception);
        }
    }

    private Task Abort(IIncomingGrainCallContext context, LostCallee callee)
    {
        // Orleans' own runtime depends on the filters, so it cannot be resolved in the constructor.
        var grains = services.GetRequiredService<IGrainFactory>();
        callee.Abort((Guid)context.Request.GetArgument(1)!, grains, timers).Ignore();
        context.Response = Response.Completed;
        return Task.CompletedTask;
    }
}
