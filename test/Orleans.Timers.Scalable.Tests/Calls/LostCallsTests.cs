using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>When a method has lost a call inside a transaction, its caller must not commit the other half.</summary>
public sealed class LostCallsTests(LostCallsTests.Silos silos) : IClassFixture<LostCallsTests.Silos>
{
    private readonly Guid _gate = Guid.NewGuid();

    // If the failure of the nested method was not recorded, its earlier payment is committed.
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

    // When the cancellation itself failed the transaction, the transaction aborted although no call had been sent.
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

    /// <summary>
    /// Silos where a cancelled call ends at once, and not when the callee has confirmed the cancellation.
    /// </summary>
    public sealed class Silos : IAsyncLifetime
    {
        private readonly TransactionalSilos _silos = new(waitForCancellationAcknowledgement: false);

        internal IClusterClient Client => _silos.Client;

        public ValueTask InitializeAsync() => _silos.InitializeAsync();

        public ValueTask DisposeAsync() => _silos.DisposeAsync();
    }
}
