using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.TestingHost;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>The effects of the bounds of phases on transactions in two silos.</summary>
[Collection(PhasedSilosCollection.Name)]
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
        var silo = silos.Silos[0];
        var timeouts = silos.Phases.Timeouts("lock_acquisition");
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
        Assert.True(silos.Phases.Timeouts("lock_acquisition") > timeouts);
        release.SetResult();
        await holder.Guarded("the holder commits");
        await account.Add(1).Guarded("the lock is free");
        Assert.Equal(11, await account.Balance().Guarded("the balance is known"));
    }

    [Fact]
    public async Task Prepare_ParticipantIsSlow_AbortsDefinitely()
    {
        var (payer, payee) = NewAccounts();
        var timeouts = silos.Phases.Timeouts("prepare");
        var waits = silos.Gate.CloseAfter(payee, writes: 0);

        await Assert.ThrowsAsync<OrleansTransactionPrepareTimeoutException>(
            () => payer.MoveTo(payee, 10).Guarded("the transaction ends"));

        await waits.Guarded("the participant has tried to prepare");
        Assert.Equal(timeouts + 1, silos.Phases.Timeouts("prepare"));
        silos.Gate.Open(payee);
        Assert.Equal((0, 0), (await Balance(payer), await Balance(payee)));
    }

    [Fact]
    public async Task Commit_StorageIsSlow_IsInDoubtAndHasCommitted()
    {
        var (account, _) = NewAccounts();
        await account.Add(5).Guarded("the account gets its money");
        var timeouts = silos.Phases.Timeouts("resolve");
        silos.Gate.CloseAfter(account, writes: 0).Ignore();

        var exception = await Assert.ThrowsAsync<OrleansTransactionInDoubtException>(
            () => account.Add(7).Guarded("the caller gives up"));

        Assert.Contains("TransactionPhaseOptions.Commit", exception.InnerException!.Message, StringComparison.Ordinal);
        Assert.Equal(timeouts + 1, silos.Phases.Timeouts("resolve"));
        silos.Gate.Open(account);
        Assert.Equal(12, await Balance(account));
    }

    [Fact]
    public async Task Confirm_StorageIsSlow_IsRepeatedUntilItIsDone()
    {
        var (payer, payee) = NewAccounts();
        var timeouts = silos.Phases.Timeouts("confirm");

        // The first write prepares, the second confirms.
        var waits = silos.Gate.CloseAfter(payee, writes: 1);
        await payer.MoveTo(payee, 10).Guarded("the transaction commits without being confirmed");
        await waits.Guarded("the participant tries to confirm");
        await Until(() => silos.Phases.Timeouts("confirm") >= timeouts + 2, "the confirmation is repeated");

        silos.Gate.Open(payee);
        Assert.Equal((-10, 10), (await Balance(payer), await Balance(payee)));
    }

    [Fact]
    public void Bounds_OfOrleansOwnOptions_AreTheConfiguredOnes() => Assert.All(silos.Silos, static silo =>
    {
        var options = silo.ServiceProvider.GetRequiredService<IOptions<TransactionalStateOptions>>().Value;
        Assert.Equal((PhasedSilos.LockHold, PhasedSilos.Prepare), (options.LockTimeout, options.PrepareTimeout));
    });

    [Fact]
    public async Task Phases_AfterTransactionsInTwoSilos_HaveCountTotalExtremesAndPercentiles()
    {
        const int Transfers = 50;
        var random = new Random(1);
        var begun = silos.Silos.Select(silo => silos.Phases.Durations("transaction", silo.Name).Count).ToList();
        for (var i = 0; i < Transfers; i++)
        {
            var bank = Guid.NewGuid();
            await Task.WhenAll(silos.Silos.Select(silo =>
                silo.Grains().GetGrain<ITransferGrain>(random.Next())
                    .Transfer($"{bank}/{silo.Name}/from", $"{bank}/{silo.Name}/to", 1, TimeSpan.Zero, fail: false)))
                .Guarded("transfers commit");
        }

        // The measurements of the confirmation come after the caller has its answer.
        await Until(() => silos.Phases.Durations("confirm").Count >= 2 * Transfers, "the confirmations are measured");
        Assert.All(
            silos.Silos.Zip(begun),
            pair =>
                Assert.True(
                    silos.Phases.Durations("transaction", pair.First.Name).Count - pair.Second >= Transfers / 2));
        foreach (
            var phase in (string[])
            [
                "transaction",
                "start",
                "lock_acquisition",
                "lock_hold",
                "resolve",
                "prepare",
                "commit",
                "confirm",
                "load",
                "store"
            ])
        {
            foreach (var silo in silos.Silos)
            {
                var durations = silos.Phases.Durations(phase, silo.Name);
                Assert.True(durations.Count > 0, $"{phase} in {silo.Name} was not published.");
                var summary = Statistics(silo).Single(summary => summary.Durations.Operation == phase).Durations;
                TestContext.Current.TestOutputHelper?.WriteLine(
                    $"{silo.Name} {phase}: {summary.Count} in {summary.TotalTimeMs:f0} ms, min {summary.MinTimeMs:f3}, "
                    + $"p50 {summary.P50TimeMs:f3}, p99 {summary.P99TimeMs:f3}, max {summary.MaxTimeMs:f3} ms");

                // Figures are rounded to 100 nanoseconds, and the silo may be adding to them.
                Assert.True(summary.Count >= durations.Count, phase);
                Assert.True(
                    summary.MinTimeMs <= (durations[0] * 1000) + 0.001
                        && summary.MaxTimeMs >= (durations[^1] * 1000) - 0.001,
                    phase);
                Assert.True(
                    summary.MinTimeMs <= summary.P50TimeMs
                        && summary.P50TimeMs <= summary.P99TimeMs
                        && summary.P99TimeMs <= summary.MaxTimeMs,
                    phase);
            }
        }
    }

    [Fact]
    public async Task Statistics_AfterTimeouts_CountThemInTheSiloWhereTheyHappened()
    {
        var (account, _) = NewAccounts();
        await account.Add(5).Guarded("the account gets its money");
        var before = Timeouts();
        silos.Gate.CloseAfter(account, writes: 0).Ignore();
        await Assert.ThrowsAsync<OrleansTransactionInDoubtException>(
            () => account.Add(7).Guarded("the caller gives up"));
        silos.Gate.Open(account);

        Assert.Equal(before + 1, Timeouts());
        Assert.Equal(silos.Phases.Timeouts("resolve"), Timeouts());

        long Timeouts() =>
            silos.Silos.Sum(
                static silo =>
                    Statistics(silo).Single(static summary => summary.Durations.Operation == "resolve").Timeouts);
    }

    private static IReadOnlyList<TransactionPhaseSummary> Statistics(InProcessSiloHandle silo) =>
        silo.ServiceProvider.GetRequiredService<TransactionPhaseStatistics>().Snapshot();

    private (IGatedAccountGrain Payer, IGatedAccountGrain Payee) NewAccounts()
    {
        var bank = Guid.NewGuid();
        return (
            silos.Client.GetGrain<IGatedAccountGrain>($"{bank}/payer"),
            silos.Client.GetGrain<IGatedAccountGrain>($"{bank}/payee"));
    }

    /// <summary>Repeats a read that aborts because it met an unfinished clean-up.</summary>
    private static async Task<int> Balance(IGatedAccountGrain account)
    {
        for (var attempts = 1; ; attempts++)
        {
            try
            {
                return await account.Balance().Guarded("the balance is known");
            }
            catch (OrleansTransactionTransientFailureException) when (attempts < 10)
            {
            }
        }
    }

    private static async Task Until(Func<bool> condition, string awaited)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        await Wait().Guarded(awaited);

        async Task Wait()
        {
            while (!condition())
            {
                await timer.WaitForNextTickAsync(TestContext.Current.CancellationToken);
            }
        }
    }
}
