using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A call that was given up inside a transaction must not take effect in addition to what its caller did instead, and
/// when a method has lost a call, its caller must not commit the other half.
/// </summary>
[Collection(typeof(CallSilos))]
public sealed class TransactionalCallsTests(CallSilos silos)
{
    private readonly Guid _gate = Guid.NewGuid();

    private readonly string _one = Guid.NewGuid().ToString();
    private readonly string _other = Guid.NewGuid().ToString();

    // Without failing the transaction both payments are committed, in each form.
    [Theory]
    [InlineData(BoundedBy.Scope)]
    [InlineData(BoundedBy.ScopeWithToken)]
    [InlineData(BoundedBy.WithTimeout)]
    [InlineData(BoundedBy.WithTimeoutAndToken)]
    public async Task Timeout_CallerPaysOtherwiseAndTheAnswerComes_NothingIsPaid(BoundedBy how)
    {
        var (payment, one, other) = In(silos.First);
        var error = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => payment.PayEither(one, other, _gate, how).Guarded("the payment ends"));

        Assert.Contains(
            PaymentGrain.Timeout.ToString(),
            Assert.IsType<TimeoutException>(error.InnerException).Message,
            StringComparison.Ordinal);
        await AssertBalances(0, 0);
    }

    // With only a fork that never comes back, which counts in one method only, both payments are committed.
    [Fact]
    public async Task Timeout_InAMethodWhoseCallerTakesNoNotice_NothingIsPaid()
    {
        var (payment, one, other) = In(silos.First);
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => payment.PayEitherAndForget(one, other, _gate, BoundedBy.Scope).Guarded("the payment ends"));

        await AssertBalances(0, 0);
    }

    [Fact]
    public async Task Timeout_InATransactionOfTheSilosClient_NothingIsPaid()
    {
        var (payment, one, other) = In(silos.First);
        var transactions = silos.First.ServiceProvider.GetRequiredService<ITransactionClient>();

        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => transactions.RunTransaction(
            TransactionOption.Create,
            () => payment.PayEither(one, other, _gate, BoundedBy.WithTimeout)).Guarded("the payment ends"));

        await AssertBalances(0, 0);
    }

    [Fact]
    public async Task Timeout_CallIsNoPartOfTheTransaction_TheTransactionCommits()
    {
        var (payment, one, other) = In(silos.First);
        await payment.PayUnanswered(one, other, _gate).Guarded("the payment ends");

        Gate.Of(_gate).Open(0);
        await AssertBalances(0, PaymentGrain.Amount);
    }

    // If the failure of the nested method was not recorded, its earlier payment is committed.
    [Theory]
    [InlineData(LostBy.NotAwaited)]
    [InlineData(LostBy.NotAwaitedAndHeldUp)]
    [InlineData(LostBy.CallersToken)]
    [InlineData(LostBy.ResponseTimeout)]
    public async Task Call_IsLostInAMethodWhoseCallerTakesNoNotice_NothingIsPaid(LostBy how)
    {
        var (payment, one, other) = In(silos.Second);
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => payment.PayHalfAndForget(one, other, _gate, how).Guarded("the payment ends"));

        Gate.Of(_gate).Open(0);
        Assert.Equal(0, await Balance(other));
    }

    // When the cancellation itself failed the transaction, the transaction aborted although no call had been sent.
    [Fact]
    public async Task Call_IsCancelledBeforeItIsMade_TheRestIsPaid()
    {
        var (payment, one, other) = In(silos.Second);
        await payment.PayAndCancel(one, other, _gate).Guarded("the payment ends");

        await AssertBalances(0, PaymentGrain.Amount);
    }

    private static async Task<int> Balance(IAccountGrain account) =>
        await account.Balance().Guarded("the balance is known");

    private async Task AssertBalances(int one, int other)
    {
        Assert.Equal(one, await Balance(silos.Client.GetGrain<IAccountGrain>(_one)));
        Assert.Equal(other, await Balance(silos.Client.GetGrain<IAccountGrain>(_other)));
    }

    /// <summary>Grains as a silo sees them. The one that pays is a stateless worker, so it runs in that silo.</summary>
    private (IPaymentGrain Payment, IAccountGrain One, IAccountGrain Other) In(InProcessSiloHandle silo)
    {
        var grains = silo.Grains();
        return (
            grains.GetGrain<IPaymentGrain>(0),
            grains.GetGrain<IAccountGrain>(_one),
            grains.GetGrain<IAccountGrain>(_other));
    }
}
