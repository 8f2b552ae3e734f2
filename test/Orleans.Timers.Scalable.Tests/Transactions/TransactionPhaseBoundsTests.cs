using Microsoft.Extensions.DependencyInjection;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The effects of the bounds of phases on transactions in two silos.</summary>
[Collection(typeof(PhasedSilos))]
public sealed class TransactionPhaseBoundsTests(PhasedSilos silos)
{
    [Fact]
    public async Task LockAcquisition_HolderKeepsTheLock_WaiterFailsAndLeavesNoTrace()
    {
        // Calibrated by leaving out PhasedTransactionalState.LeaveLock: the transaction that gave up gets the lock
        // later, and keeps it.
        var account = silos.Client.GetGrain<IAccountGrain>($"{Guid.NewGuid()}");
        var locked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var silo = silos.First;
        var timeouts = silos.Timeouts("lock_acquisition");
        var holder = silo.ServiceProvider.GetRequiredService<ITransactionClient>()
            .RunTransaction(TransactionOption.Create, async () =>
        {
            await silo.Grains().GetGrain<IAccountGrain>(account.GetPrimaryKeyString()).Add(10);
            locked.SetResult();
            await release.Task;
        });
        await locked.Task.Guarded("the holder has the lock");

        var exception = await Assert.ThrowsAsync<OrleansTransactionTransientFailureException>(
            () => account.Add(100).Guarded("the waiter gives up"));

        Assert.False(holder.IsCompleted);
        Assert.IsType<TimeoutException>(exception.InnerException);
        Assert.Contains("TransactionPhaseOptions.LockAcquisition", exception.Message, StringComparison.Ordinal);
        Assert.True(silos.Timeouts("lock_acquisition") > timeouts);
        release.SetResult();
        await holder.Guarded("the holder commits");
        await account.Add(1).Guarded("the lock is free");
        Assert.Equal(11, await account.Balance().Guarded("the balance is known"));
    }

    [Fact]
    public async Task Prepare_ParticipantIsSlow_AbortsDefinitely()
    {
        var accounts = new TwoAccounts(silos.Client);
        var timeouts = silos.Timeouts("prepare");
        var gate = new Gate();
        HeldWrites.Hold(accounts.Payee.GetGrainId(), gate);

        await Assert.ThrowsAsync<OrleansTransactionPrepareTimeoutException>(
            () => accounts.Payer.MoveTo(accounts.Payee, 10).Guarded("the transaction ends"));

        await gate.Reached.Guarded("the participant has tried to prepare");
        Assert.Equal(timeouts + 1, silos.Timeouts("prepare"));
        HeldWrites.Release(accounts.Payee.GetGrainId());
        await accounts.AssertMoved(0);
    }

    [Fact]
    public async Task Phases_AfterTransactionsInTwoSilos_ArePublishedByBoth()
    {
        const int Transfers = 50;
        var random = new Random(1);
        var begun = silos.Cluster.Silos.Select(silo => silos.Durations("transaction", silo.Name)).ToList();
        for (var i = 0; i < Transfers; i++)
        {
            var bank = Guid.NewGuid();
            await Task.WhenAll(silos.Cluster.Silos.Select(silo =>
                silo.Grains().GetGrain<ITransferGrain>(random.Next())
                    .Transfer($"{bank}/{silo.Name}/from", $"{bank}/{silo.Name}/to", 1, TimeSpan.Zero, fail: false)))
                .Guarded("transfers commit");
        }

        // The measurements of the confirmation come after the caller has its answer.
        await Eventually.True(
            () => silos.Durations("confirm") >= 2 * Transfers, "the confirmations are measured");
        Assert.All(silos.Cluster.Silos.Zip(begun), pair => Assert.True(
            silos.Durations("transaction", pair.First.Name) - pair.Second >= Transfers / 2));
        string[] phases =
            ["transaction", "lock_acquisition", "lock_hold", "resolve", "prepare", "commit", "confirm"];
        Assert.All(phases, phase => Assert.All(
            silos.Cluster.Silos, silo => Assert.NotEqual(0, silos.Durations(phase, silo.Name))));
    }
}
