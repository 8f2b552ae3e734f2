using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The effects of the bounds of phases on transactions in two silos.</summary>
[Collection(typeof(PhasedSilos))]
public sealed class TransactionPhaseBoundsTests(PhasedSilos silos)
{
    [Fact]
    public async Task LockAcquisition_HolderKeepsTheLock_WaiterFailsAndLeavesNoTrace()
    {
        // Seen to fail without PhasedTransactionalState.LeaveLock: the transaction that gave up gets the lock later,
        // and keeps it.
        var account = silos.Client.GetGrain<IAccountGrain>($"{Guid.NewGuid()}");
        var holder = await LockHolder.Begin(silos.First, account);
        using var timeouts = silos.Activation(account).ActivationServices.Count(TransactionPhaseMetrics.TimeoutsName);

        var exception = await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(
            () => account.Add(100).Guarded("the waiter gives up"));

        Assert.False(holder.Transaction.IsCompleted);
        Assert.IsType<TimeoutException>(exception.InnerException);
        Assert.Contains("TransactionPhaseOptions.LockAcquisition", exception.Message, StringComparison.Ordinal);
        Assert.Contains(timeouts.GetMeasurementSnapshot(), static each => each.Tags["phase"] is "lock_acquisition");
        holder.Release();

        // On a machine that stands still the holder's own deadline may have passed.
        var held = await holder.Commits() ? 10 : 0;
        await TwoAccounts.UntilNotTransient(() => account.Add(1)).Guarded("the lock is free");
        Assert.Equal(held + 1, await TwoAccounts.Balance(account).Guarded("the balance is known"));
    }
}
