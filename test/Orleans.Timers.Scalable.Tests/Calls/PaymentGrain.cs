using Orleans.Concurrency;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The way in which a call inside a transaction is bounded.</summary>
public enum BoundedBy
{
    Scope,
    ScopeWithToken,
    WithTimeout,
    WithTimeoutAndToken,
}

/// <summary>The way in which a call inside a transaction fails for the method that made it.</summary>
public enum LostBy
{
    NotAwaited,

    /// <summary>The call has not been made when the method ends, because another filter delays it.</summary>
    NotAwaitedAndHeldUp,

    CallersToken,
    ResponseTimeout,
}

public interface IPaymentGrain : IGrainWithIntegerKey
{
    /// <summary>
    /// Pays to one account and, when that takes too long, to another. The first answers before this method ends.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayEither(IAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how);

    /// <summary>
    /// Calls <see cref="PayEither"/> as a part of its own transaction, and ignores a failure.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayEitherAndForget(IAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how);

    /// <summary>Pays to one account and cannot reach another.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayHalf(IAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how);

    /// <summary>
    /// Calls <see cref="PayHalf"/> as a part of its own transaction, and ignores a failure.
    /// </summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayHalfAndForget(IAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how);

    /// <summary>Pays to one account, and cancels a payment to another before that payment is made.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayAndCancel(IAccountGrain cancelled, IAccountGrain paid, Guid gate);

    /// <summary>Makes a call that is no part of the transaction, and pays when that call takes too long.</summary>
    [Transaction(TransactionOption.CreateOrJoin)]
    Task PayUnanswered(IAccountGrain asked, IAccountGrain payee, Guid gate);
}

[StatelessWorker]
[Reentrant]
internal sealed class PaymentGrain(TimerService timers) : Grain, IPaymentGrain
{
    internal const int Amount = 10;

    internal static readonly TimeSpan Timeout = TimeSpan.FromMilliseconds(300);

    public async Task PayEither(IAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how)
    {
        var before = timers.GetCallTimeouts();
        var call = Pay(first, gate, how);
        await Gate.Of(gate).Reached.Guarded("the first payment arrives");
        await Assert.ThrowsAsync<TimeoutException>(() => call);

        await second.Add(Amount);
        Gate.Of(gate).Open(Amount);
        await Eventually.True(() => Ended(timers.GetCallTimeouts()) > Ended(before), "the first payment ends");
    }

    public async Task PayEitherAndForget(IAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how) =>
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() =>
            GrainFactory.GetGrain<IPaymentGrain>(this.GetPrimaryKeyLong()).PayEither(first, second, gate, how));

    public async Task PayHalf(IAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how)
    {
        await paid.Add(Amount);
        using var scope = CallTimeout.Begin(HangGuard.Limit);
        switch (how)
        {
            case LostBy.CallersToken:
                using (var cancellation = new CancellationTokenSource())
                {
                    var call = unpaid.AddCancellable(Amount, gate, cancellation.Token);
                    await Gate.Of(gate).Reached.Guarded("the payment arrives");
                    await cancellation.CancelAsync();
                    await Assert.ThrowsAnyAsync<OperationCanceledException>(
                        () => call.Guarded("the payment is cancelled"));
                }

                break;
            case LostBy.ResponseTimeout:
                await Assert.ThrowsAsync<TimeoutException>(() => unpaid.AddSoon(Amount, gate));
                break;
            case LostBy.NotAwaitedAndHeldUp:
                CallFilters.Waits.Value = Gate.Of(gate);
                goto default;
            default:
                unpaid.AddLate(Amount, gate).Ignore();
                await Gate.Of(gate).Reached.Guarded("the payment arrives");
                break;
        }
    }

    public async Task PayHalfAndForget(IAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how) =>
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() =>
            GrainFactory.GetGrain<IPaymentGrain>(this.GetPrimaryKeyLong()).PayHalf(unpaid, paid, gate, how));

    public async Task PayAndCancel(IAccountGrain cancelled, IAccountGrain paid, Guid gate)
    {
        await paid.Add(Amount);
        CallFilters.Waits.Value = Gate.Of(gate);
        using var cancellation = new CancellationTokenSource();
        using var scope = CallTimeout.Begin(HangGuard.Limit);
        var call = cancelled.AddCancellable(Amount, gate, cancellation.Token);
        await Gate.Of(gate).Reached.Guarded("the filter holds the payment up");
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the payment is cancelled"));
    }

    public async Task PayUnanswered(IAccountGrain asked, IAccountGrain payee, Guid gate)
    {
        using (CallTimeout.Begin(Timeout))
        {
            await Assert.ThrowsAsync<TimeoutException>(() => asked.WaitApart(gate));
        }

        await payee.Add(Amount);
    }

    private static long Ended(CallTimeoutSnapshot calls) => calls.AnsweredLate + calls.Cancelled;

    private async Task Pay(IAccountGrain account, Guid gate, BoundedBy how)
    {
        switch (how)
        {
            case BoundedBy.WithTimeout:
                await timers.WithTimeout(account.AddLate(Amount, gate), Timeout);
                break;
            case BoundedBy.WithTimeoutAndToken:
                await timers.WithTimeout(token => account.AddCancellable(Amount, gate, token), Timeout);
                break;
            case BoundedBy.ScopeWithToken:
                using (CallTimeout.Begin(Timeout))
                {
                    await account.AddCancellable(Amount, gate, CancellationToken.None);
                }

                break;
            default:
                using (CallTimeout.Begin(Timeout))
                {
                    await account.AddLate(Amount, gate);
                }

                break;
        }
    }
}
