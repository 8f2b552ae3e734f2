using Orleans.Timers.Scalable.Tests.Upstream;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// The timers that Orleans' transactions still use directly. docs/transactions.md has the lists. The test fails for a
/// version of Orleans that changes them.
/// </summary>
[Collection(PhasedSilosCollection.Name)]
public sealed class OrleansWaitsTests(PhasedSilos silos)
{
    private const int Transactions = 100;

    private static readonly HashSet<string> s_waits =
    [
        "Task.Delay", "Task.WaitAsync(1)", "Task.WaitAsync(2)", "Task.WaitAsync(3)", "Timer..ctor",
        "PeriodicTimer..ctor", "Thread.Sleep",
        "CancellationTokenSource.CancelAfter", "TimeProvider.CreateTimer", "ITimerManager.Delay", "TimerManager.Delay",
        "BatchWorker.Notify(1)", "BatchWorker.ScheduleNotify",
    ];

    /// <summary>Waits that only some versions have.</summary>
    private static readonly HashSet<string> s_inSomeVersions =
    [
        "ActivationLifetime.OnStopAsync: Task.Delay",
        "TransactionQueue.NotifyOfAbort: Task.Delay",
    ];

    [Fact]
    public void Transactions_WaitForTime_HereOnly() => Assert.Equal(
        [
            "ConfirmationWorker.Collect: ITimerManager.Delay",
            "ConfirmationWorker.NotifyAll: ITimerManager.Delay",
            "ReadWriteLock.EnterLock: BatchWorker.Notify(1)",
            "ReadWriteLock.LockWork: BatchWorker.Notify(1)",
            "TransactionQueue.CheckProgressOfCommitQueue: BatchWorker.Notify(1)",
        ],
        WaitScanner.Calls(typeof(ITransactionAgent).Assembly, s_waits)
            .Where(static call => !s_inSomeVersions.Contains(call)));

    [Fact]
    public void BatchWorker_WaitsForTime_ByTheStaticTimerManagerOnly() => Assert.Equal(
        ["BatchWorker.Notify: BatchWorker.ScheduleNotify", "BatchWorker.ScheduleNotify: TimerManager.Delay"],
        WaitScanner.Calls(typeof(BatchWorker).Assembly, s_waits)
            .Where(static call => call.StartsWith("BatchWorker.", StringComparison.Ordinal)));

    [Fact]
    public async Task Delay_OfSystemTimers_IsLeftBehindByEachAbortAndByNoCommit()
    {
        // .NET counts only timers that are alive, and only Task.Delay creates many of them here.
        var pairs = await NewPairs();
        var before = Timer.ActiveCount;
        await Task.WhenAll(pairs.Select(static pair => pair.Payer.MoveTo(pair.Payee, 10)))
            .Guarded("the transactions commit");

        // Work that continues for a moment longer, such as confirmations, has timers too, but not for long.
        var committed = Timer.ActiveCount - before;
        for (var i = 0; committed >= Transactions / 2 && i < 100; i++)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(100), TestContext.Current.CancellationToken);
            committed = Timer.ActiveCount - before;
        }

        // Timers of earlier aborts may end meanwhile, hundreds at once, so one measurement is not enough.
        var aborted = await AbortAll(pairs);
        for (var i = 0; aborted <= Transactions / 2 && i < 4; i++)
        {
            aborted = await AbortAll(await NewPairs());
        }

        TestContext.Current.TestOutputHelper?.WriteLine(
            $"{Transactions} commits left {committed} timers behind, {Transactions} aborts {aborted}.");
        Assert.True(committed < Transactions / 2, $"{Transactions} commits left {committed} timers behind.");
        Defect.ShowsAgain(aborted > Transactions / 2, "An abort leaves a timer behind");
    }

    /// <returns>
    /// The number of additional timers. The delay is as long as a lock may be held, here a minute, and nobody cancels
    /// it when the clean-up has ended.
    /// </returns>
    private async Task<long> AbortAll(List<(IGatedAccountGrain Payer, IGatedAccountGrain Payee)> pairs)
    {
        var before = Timer.ActiveCount;
        pairs.ForEach(pair => silos.Gate.CloseAfter(pair.Payee, writes: 0).Ignore());
        var aborts = await Task.WhenAll(
            pairs.Select(static pair => Record.ExceptionAsync(() => pair.Payer.MoveTo(pair.Payee, 10)).AsTask()))
            .Guarded("the transactions abort");
        pairs.ForEach(pair => silos.Gate.Open(pair.Payee));
        Assert.All(aborts, static exception => Assert.IsType<OrleansTransactionPrepareTimeoutException>(exception));
        return Timer.ActiveCount - before;
    }

    /// <summary>Accounts that have been used, so that their activations have created their timers.</summary>
    private async Task<List<(IGatedAccountGrain Payer, IGatedAccountGrain Payee)>> NewPairs()
    {
        var pairs = Enumerable.Range(0, Transactions).Select(_ => NewAccounts()).ToList();
        await Task.WhenAll(pairs.Select(static pair => pair.Payer.MoveTo(pair.Payee, 10)))
            .Guarded("the transactions commit");
        return pairs;
    }

    private (IGatedAccountGrain Payer, IGatedAccountGrain Payee) NewAccounts()
    {
        var bank = Guid.NewGuid();
        return (
            silos.Client.GetGrain<IGatedAccountGrain>($"{bank}/payer"),
            silos.Client.GetGrain<IGatedAccountGrain>($"{bank}/payee"));
    }
}
