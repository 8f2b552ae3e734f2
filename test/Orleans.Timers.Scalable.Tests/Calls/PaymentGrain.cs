using Orleans.Concurrency;
using Orleans.Transactions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

[StatelessWorker]
[Reentrant]
internal sealed class PaymentGrain(TimerService timers) : Grain, IPaymentGrain
{
    internal const int Amount = 10;

    internal static readonly TimeSpan Timeout = TimeSpan.FromMilliseconds(500);

    public async Task PayEither(ILateAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how)
    {
        var before = timers.GetCallTimeouts();
        var call = Pay(first, gate, how);
        await Gate.Of(gate).Reached.Guarded("the first payment arrives");
        await Assert.ThrowsAsync<TimeoutException>(() => call);

        await second.Add(Amount);
        Gate.Of(gate).Open(Amount);
        await Eventually.True(() => Ended(timers.GetCallTimeouts()) > Ended(before), "the first payment ends");
    }

    public async Task PayEitherAndForget(ILateAccountGrain first, IAccountGrain second, Guid gate, BoundedBy how) =>
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() =>
            GrainFactory.GetGrain<IPaymentGrain>(this.GetPrimaryKeyLong()).PayEither(first, second, gate, how));

    public async Task PayHalf(ILateAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how)
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
                WaitingFilter.Waits.Value = Gate.Of(gate);
                goto default;
            default:
                var forgotten = unpaid.Add(Amount, gate);
                (how == LostBy.NotAwaitedWithTimeout ? timers.WithTimeout(forgotten, HangGuard.Limit) : forgotten)
                    .Ignore();
                await Gate.Of(gate).Reached.Guarded("the payment arrives");
                break;
        }
    }

    public async Task PayHalfAndForget(ILateAccountGrain unpaid, IAccountGrain paid, Guid gate, LostBy how) =>
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() =>
            GrainFactory.GetGrain<IPaymentGrain>(this.GetPrimaryKeyLong()).PayHalf(unpaid, paid, gate, how));

    public async Task PayAndCancel(ILateAccountGrain cancelled, IAccountGrain paid, Guid gate)
    {
        await paid.Add(Amount);
        WaitingFilter.Waits.Value = Gate.Of(gate);
        using var cancellation = new CancellationTokenSource();
        using var scope = CallTimeout.Begin(HangGuard.Limit);
        var call = cancelled.AddCancellable(Amount, gate, cancellation.Token);
        await Gate.Of(gate).Reached.Guarded("the filter holds the payment up");
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the payment is cancelled"));
    }

    public async Task PayUnanswered(ILateAccountGrain asked, IAccountGrain payee, Guid gate)
    {
        using (CallTimeout.Begin(Timeout))
        {
            await Assert.ThrowsAsync<TimeoutException>(() => asked.WaitApart(gate));
        }

        await payee.Add(Amount);
    }

    private static long Ended(CallTimeoutSnapshot calls) => calls.AnsweredLate + calls.Cancelled;

    private async Task Pay(ILateAccountGrain account, Guid gate, BoundedBy how)
    {
        switch (how)
        {
            case BoundedBy.WithTimeout:
                await timers.WithTimeout(account.Add(Amount, gate), Timeout);
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
                    await account.Add(Amount, gate);
                }

                break;
        }
    }
}
