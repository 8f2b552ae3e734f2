using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable;

/// <summary>A bounded call with a result.</summary>
internal sealed class BoundedCall<T>(
    TimerService timers,
    Task<T> call,
    TimeSpan timeout,
    CancellationTokenSource? cancellation,
    IGrainCallContext? context,
    TransactionInfo? transaction,
    CancellationToken callersToken)
    : BoundedCall(timers, call, timeout, cancellation, context, transaction, callersToken)
{
    private readonly TaskCompletionSource<T> _end = new();
    private readonly Task<T> _call = call;

    internal Task<T> Task => _end.Task;

    protected override void EndAsCall() => _end.SetFromTask(_call);

    protected override void Fail(Exception exception) => _end.SetException(exception);

    protected override void EndAsCancelled(CancellationToken cancellationToken) => _end.SetCanceled(cancellationToken);
}
