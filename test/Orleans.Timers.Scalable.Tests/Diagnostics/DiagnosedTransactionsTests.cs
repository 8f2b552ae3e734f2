using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A call that timed out fails its caller's transaction also when its timeout is explained.</summary>
public sealed class DiagnosedTransactionsTests(DiagnosedTransactionsTests.Silos silos)
    : IClassFixture<DiagnosedTransactionsTests.Silos>
{
    private readonly Guid _gate = Guid.NewGuid();

    private ILateAccountGrain First { get; } = silos.Client.GetGrain<ILateAccountGrain>(Guid.NewGuid());

    private IAccountGrain Second { get; } = silos.Client.GetGrain<IAccountGrain>(Guid.NewGuid().ToString());

    private IPaymentGrain Payment { get; } = silos.Client.GetGrain<IPaymentGrain>(0);

    [Theory]
    [InlineData(BoundedBy.Scope)]
    [InlineData(BoundedBy.ScopeWithToken)]
    [InlineData(BoundedBy.WithTimeout)]
    [InlineData(BoundedBy.WithTimeoutAndToken)]
    public async Task CallTimeout_CallerPaysOtherwiseAndTheAnswerComes_NothingIsPaid(BoundedBy how)
    {
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => Payment.PayEither(First, Second, _gate, how).Guarded("the payment ends"));

        Assert.Equal((0, 0), (await First.Balance(), await Second.Balance()));
    }

    [Fact]
    public async Task ResponseTimeout_InAMethodWhoseCallerTakesNoNotice_NothingIsPaid()
    {
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => Payment
            .PayHalfAndForget(First, Second, _gate, LostBy.ResponseTimeout).Guarded("the payment ends"));

        Gate.Of(_gate).Open(0);
        Assert.Equal(0, await Second.Balance().Guarded("the balance is known"));
    }

    public sealed class Silos : IAsyncLifetime
    {
        private readonly TransactionalSilos _silos = new(
            waitForCancellationAcknowledgement: true, withDiagnostics: true);

        internal IClusterClient Client => _silos.Client;

        public ValueTask InitializeAsync() => _silos.InitializeAsync();

        public ValueTask DisposeAsync() => _silos.DisposeAsync();
    }
}
