using Microsoft.Extensions.DependencyInjection;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A deadline may stop the progress of a transaction, but it must not prevent its end.</summary>
/// <remarks>
/// Seen to fail when Orleans' own calls are bound too: one transaction leaves its locks behind, and the other is not
/// committed.
/// </remarks>
[Collection(typeof(DeadlineSilos))]
public sealed class DeadlineTransactionsTests(DeadlineSilos silos)
{
    private static readonly TimeSpan s_budget = TimeSpan.FromMilliseconds(700);

    /// <summary>Less than the 8 seconds after which a lock expires.</summary>
    private static readonly TimeSpan s_soon = TimeSpan.FromSeconds(5);

    [Fact]
    public async Task Transaction_BudgetIsSpentBetweenItsCalls_IsAbortedAndLeavesNoLock()
    {
        var accounts = new TwoAccounts(silos.First.Grains());
        await accounts.Payer.Add(100);
        await accounts.Payee.Add(100);
        using (CallDeadline.Begin(s_budget))
        {
            // A stateless worker runs in the silo that calls it.
            var transfer = silos.First.Grains().GetGrain<ITransferGrain>(0)
                .Transfer(accounts.From, accounts.To, 10, s_budget);
            var error = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
                () => transfer.Guarded("the transaction ends"));
            Assert.IsType<TimeoutException>(error.InnerException);
        }

        Assert.Equal(100, await accounts.Payer.Balance().WaitAsync(s_soon));
        Assert.Equal(100, await accounts.Payee.Balance().WaitAsync(s_soon));
    }

    [Fact]
    public async Task Transaction_BudgetIsSpentBeforeItCommits_IsCommitted()
    {
        var account = new TwoAccounts(silos.First.Grains()).Payee;
        var grain = await silos.Client.NewGrainIn(silos.First);
        using (CallDeadline.Begin(s_budget))
        {
            await grain.Run(self => self.Services.GetRequiredService<ITransactionClient>()
                .RunTransaction(TransactionOption.Create, async () =>
                {
                    await account.Add(10);
                    await DeadlineCalls.Outlast(s_budget);
                }));
        }

        Assert.Equal(10, await account.Balance().WaitAsync(s_soon));
    }

    // If the refusal only throws, the deposit is committed.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Transaction_RefusedWithdrawalIsIgnored_IsAborted(bool isAwaited)
    {
        var accounts = new TwoAccounts(silos.First.Grains());
        using var refused = silos.First.ServiceProvider.Count(DeadlineCounts.RefusedName);
        var grain = await silos.Client.NewGrainIn(silos.First);
        var transfer = grain.Run(self =>
            self.Services.GetRequiredService<ITransactionClient>().RunTransaction(TransactionOption.Create, async () =>
        {
            using (CallDeadline.Begin(TimeSpan.Zero))
            {
                var withdrawal = accounts.Payer.Add(-10);
                if (isAwaited)
                {
                    await Assert.ThrowsAsync<TimeoutException>(() => withdrawal);
                }
                else
                {
                    withdrawal.Ignore();
                }
            }

            await accounts.Payee.Add(10);
        }));

        var error = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => transfer.Guarded("the transaction ends"));
        Assert.Contains(
            "was not sent", Assert.IsType<TimeoutException>(error.InnerException).Message, StringComparison.Ordinal);
        Assert.Equal(1, refused.By(DeadlineCounts.Caller));
        Assert.Equal(0, await accounts.Payer.Balance().WaitAsync(s_soon));
        Assert.Equal(0, await accounts.Payee.Balance().WaitAsync(s_soon));
    }

    // If the refusal only throws, the payment of the nested method is committed, and the reason is lost.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Transaction_RefusalByTheCalleeIsIgnored_IsAborted(bool isNested)
    {
        var account = new TwoAccounts(silos.First.Grains()).Payee;
        var busy = silos.First.Grains().GetGrain<IDeadlineProbeGrain>(Guid.NewGuid());
        using var refused = silos.First.ServiceProvider.Count(DeadlineCounts.RefusedName);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var blocker = await busy.BeginWait(_ => new ValueTask(release.Task));
        var transaction = isNested
            ? silos.First.NewGrain().RunInATransaction(_ => Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
                () => silos.First.NewGrain().RunInATransaction(Pay)))
            : silos.First.NewGrain().RunInATransaction(Pay);

        var error = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => transaction.Guarded("the transaction ends"));

        await blocker.Guarded("the blocking request ends");
        Assert.Contains(
            "was not run", Assert.IsType<TimeoutException>(error.InnerException).Message, StringComparison.Ordinal);
        Assert.Equal(1, refused.By(DeadlineCounts.Callee));
        Assert.Equal(0, await account.Balance().WaitAsync(s_soon));

        async Task Pay(ScriptableGrain _)
        {
            await account.Add(10);
            Task refused;
            using (CallDeadline.Begin(s_budget))
            {
                refused = busy.RunInATransaction(static _ => Task.CompletedTask);

                // The wait appears shorter by what it may be wrong, and may be wrong by that.
                await DeadlineCalls.Outlast(s_budget + (2 * QueueTime.Inaccuracy));
            }

            release.SetResult();
            await Assert.ThrowsAsync<TimeoutException>(() => refused.Guarded("the request is refused"));
        }
    }
}
