using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>A bounded call without a result.</summary>
internal sealed class BoundedVoidCall(
    TimerService timers,
    Task call,
    TimeSpan timeout,
    CancellationTokenSource? cancellation,
    IGrainCallContext? context,
    TransactionInfo? transaction,
    CancellationToken callersToken)
    : BoundedCall(timers, call, timeout, cancellation, context, transaction, callersToken)
{
    private readonly TaskCompletionSource _end = new();
    private readonly Task _call = call;

    internal Task Task => _end.Task;

    protected override void EndAsCall() => _end.SetFromTask(_call);

    protected override void Fail(Exception exception) => _end.SetException(exception);

    protected override void EndAsCancelled(CancellationToken cancellationToken) => _end.SetCanceled(cancellationToken);
}
