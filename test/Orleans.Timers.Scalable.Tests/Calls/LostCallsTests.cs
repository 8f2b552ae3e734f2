using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A method that has lost a call inside a transaction must not be half of what its caller commits.</summary>
public sealed class LostCallsTests(LostCallsTests.Silos silos) : IClassFixture<LostCallsTests.Silos>
{
    private readonly Guid _gate = Guid.NewGuid();

    // Without recording why the nested method failed, what it had paid before is committed.
    [Theory]
    [InlineData(LostBy.NotAwaited)]
    [InlineData(LostBy.NotAwaitedWithTimeout)]
    [InlineData(LostBy.NotAwaitedAndHeldUp)]
    [InlineData(LostBy.CallersToken)]
    [InlineData(LostBy.ResponseTimeout)]
    public async Task Call_IsLostInAMethodWhoseCallerTakesNoNotice_NothingIsPaid(LostBy how)
    {
        var (unpaid, paid) = (
            silos.Client.GetGrain<ILateAccountGrain>(Guid.NewGuid()), silos.Client.GetGrain<IAccountGrain>(
                Guid.NewGuid().ToString()));
        var payment = silos.Client.GetGrain<IPaymentGrain>(0);

        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => payment.PayHalfAndForget(unpaid, paid, _gate, how).Guarded("the payment ends"));

        Gate.Of(_gate).Open(0);
        Assert.Equal(0, await paid.Balance().Guarded("the balance is known"));
    }

    // When the cancellation by itself failed the transaction, it aborted, though nothing had been sent.
    [Fact]
    public async Task Call_IsCancelledBeforeItIsMade_TheRestIsPaid()
    {
        var (cancelled, paid) = (
            silos.Client.GetGrain<ILateAccountGrain>(Guid.NewGuid()), silos.Client.GetGrain<IAccountGrain>(
                Guid.NewGuid().ToString()));

        await silos.Client.GetGrain<IPaymentGrain>(0).PayAndCancel(cancelled, paid, _gate).Guarded("the payment ends");

        Assert.Equal(
            (0, PaymentGrain.Amount),
            (
                await cancelled.Balance().Guarded("the balance is known"),
                await paid.Balance().Guarded("the balance is known")));
    }

    /// <summary>Where a cancelled call ends at once, and not when the callee has confirmed it.</summary>
    public sealed class Silos : IAsyncLifetime
    {
        private readonly TransactionalSilos _silos = new(waitForCancellationAcknowledgement: false);

        internal IClusterClient Client => _silos.Client;

        public ValueTask InitializeAsync() => _silos.InitializeAsync();

        public ValueTask DisposeAsync() => _silos.DisposeAsync();
    }
}
