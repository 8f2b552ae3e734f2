using System.Diagnostics;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests.Upstream;

public sealed class TransactionDefectTests(StockSilo silo) : IClassFixture<StockSilo>
{
    [Fact]
    public async Task Transaction_LongerThanItsTimeout_Commits()
    {
        var error = await Record.ExceptionAsync(() => TakeElevenSeconds(silo.Transactions, silo.Grains));

        Defect.ShowsAgain(error is null, "A transaction's timeout is ignored");
        Assert.Equal(2, await silo.Grains.GetGrain<IAccountGrain>("slow").Balance());
    }

    [Fact]
    public async Task Lock_WaiterIsPastItsDeadline_HearsOfItOnlyWhenTheHolderLeaves()
    {
        var waited = await WaitForALock(silo.Transactions, silo.Grains, holdFor: TimeSpan.FromSeconds(3));

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{waited.TotalMilliseconds:F0} ms instead of {StockSilo.LockAcquireTimeout.TotalMilliseconds} ms.");
        Defect.ShowsAgain(waited > TimeSpan.FromSeconds(2), "A waiter's deadline is checked late");
    }

    [Fact]
    public async Task Abort_AParticipantIsSilent_HidesWhyTheTransactionAborts()
    {
        var reason = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => FailAfterUsing("answering", silo.Transactions, silo.Grains));
        var error = await Record.ExceptionAsync(() => FailAfterUsing("silent", silo.Transactions, silo.Grains));

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{reason.GetType().Name} with {reason.InnerException?.Message} inside, but {error}");
        Defect.ShowsAgain(error is TimeoutException, "An abort that is not answered hides the reason");
    }

    [Fact]
    public async Task Call_LostInANestedMethod_HalfOfItsCallersTransactionCommits()
    {
        var grain = silo.Grains.GetGrain<IUpstreamGrain>(Guid.NewGuid());

        var error = await Record.ExceptionAsync(() =>
            silo.Transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await Assert.ThrowsAsync<OrleansOrphanCallException>(() => grain.AddAndLoseACall("half", grain));
        }));

        var balance = await silo.Grains.GetGrain<IAccountGrain>("half").Balance();
        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{balance} of what was to be paid, {error?.GetType().Name ?? "committed"}.");
        Defect.ShowsAgain(error is null && balance == 10, "A lost call fails one method only");
    }

    [Fact]
    public async Task Call_LostInANestedFunction_TransactionCommits()
    {
        var lost = silo.Grains.GetGrain<IUpstreamGrain>(Guid.NewGuid());

        var error = await Record.ExceptionAsync(() => silo.Transactions.RunTransaction(TransactionOption.Create, () =>
            silo.Transactions.RunTransaction(TransactionOption.Join, async () =>
            {
                await silo.Grains.GetGrain<IAccountGrain>("nested").Add(10);
                lost.Join(TimeSpan.FromSeconds(1)).Ignore();
            })));

        Defect.ShowsAgain(
            error is null && await silo.Grains.GetGrain<IAccountGrain>("nested").Balance() == 10,
            "A lost call fails one method only");
    }

    private static Task TakeElevenSeconds(ITransactionClient transactions, IGrainFactory grains) =>
        transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await grains.GetGrain<IAccountGrain>("slow").Add(1);
            await Task.Delay(TimeSpan.FromSeconds(11));
            await grains.GetGrain<IAccountGrain>("slow").Add(1);
        });

    private static Task FailAfterUsing(string account, ITransactionClient transactions, IGrainFactory grains) =>
        transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await grains.GetGrain<IAccountGrain>(account).Add(1);
            throw new InvalidOperationException("The account is closed.");
        });

    private static async Task<TimeSpan> WaitForALock(
        ITransactionClient transactions, IGrainFactory grains, TimeSpan holdFor)
    {
        var account = grains.GetGrain<IAccountGrain>("contended");
        var isHeld = new TaskCompletionSource();
        var holder = transactions.RunTransaction(TransactionOption.Create, async () =>
        {
            await account.Add(1);
            isHeld.SetResult();
            await Task.Delay(holdFor);
        });
        await isHeld.Task;

        // LockAcquireTimeout is 300 ms.
        var start = Stopwatch.GetTimestamp();
        var waiter = transactions.RunTransaction(TransactionOption.Create, () => account.Add(1));
        await waiter.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        var waited = Stopwatch.GetElapsedTime(start);
        await holder;
        return waited;
    }
}
