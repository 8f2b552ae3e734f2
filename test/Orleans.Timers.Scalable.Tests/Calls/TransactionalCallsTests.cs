using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A call that was given up inside a transaction must not take effect in addition to what its caller did instead.
/// </summary>
public sealed class TransactionalCallsTests(TransactionalSilos silos) : IClassFixture<TransactionalSilos>
{
    private readonly Guid _gate = Guid.NewGuid();

    private ILateAccountGrain First { get; } = silos.Client.GetGrain<ILateAccountGrain>(Guid.NewGuid());

    private IAccountGrain Second { get; } = silos.Client.GetGrain<IAccountGrain>(Guid.NewGuid().ToString());

    private IPaymentGrain Payment { get; } = silos.Client.GetGrain<IPaymentGrain>(0);

    // Without failing the transaction both payments are committed, in each form.
    [Theory]
    [InlineData(BoundedBy.Scope)]
    [InlineData(BoundedBy.ScopeWithToken)]
    [InlineData(BoundedBy.WithTimeout)]
    [InlineData(BoundedBy.WithTimeoutAndToken)]
    public async Task Timeout_CallerPaysOtherwiseAndTheAnswerComes_NothingIsPaid(BoundedBy how)
    {
        var error = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => Payment.PayEither(First, Second, _gate, how).Guarded("the payment ends"));

        Assert.Contains(
            PaymentGrain.Timeout.ToString(),
            Assert.IsType<TimeoutException>(error.InnerException).Message,
            StringComparison.Ordinal);
        Assert.Equal((0, 0), await Balances());
    }

    // With only a fork that never comes back, which counts in one method only, both payments are committed.
    [Theory]
    [InlineData(BoundedBy.Scope)]
    [InlineData(BoundedBy.WithTimeout)]
    public async Task Timeout_InAMethodWhoseCallerTakesNoNotice_NothingIsPaid(BoundedBy how)
    {
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => Payment.PayEitherAndForget(First, Second, _gate, how).Guarded("the payment ends"));

        Assert.Equal((0, 0), await Balances());
    }

    [Theory]
    [InlineData(BoundedBy.Scope)]
    [InlineData(BoundedBy.WithTimeout)]
    public async Task Timeout_InATransactionOfTheClient_NothingIsPaid(BoundedBy how)
    {
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => silos.Transactions.RunTransaction(
            TransactionOption.Create,
            () => Payment.PayEither(First, Second, _gate, how)).Guarded("the payment ends"));

        Assert.Equal((0, 0), await Balances());
    }

    [Fact]
    public async Task Timeout_CallIsNoPartOfTheTransaction_TheTransactionCommits()
    {
        await Payment.PayUnanswered(First, Second, _gate).Guarded("the payment ends");

        Gate.Of(_gate).Open(0);
        Assert.Equal((0, PaymentGrain.Amount), await Balances());
    }

    private async Task<(int First, int Second)> Balances() =>
        (
            await First.Balance().Guarded("the first balance is known"),
            await Second.Balance().Guarded("the second balance is known"));
}
