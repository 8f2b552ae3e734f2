using Orleans.Timers.Scalable.Tests.Upstream;
using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// What Orleans' transactions still wait with. The lists stand in docs/transactions.md; a version that changes them
/// fails here.
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

    /// <summary>What some versions have and others do not.</summary>
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
        // Of .NET's timers only those count that are alive, and nothing here but Task.Delay makes many.
        var pairs = await NewPairs();
        var before = Timer.ActiveCount;
        await Task.WhenAll(pairs.Select(static pair => pair.Payer.MoveTo(pair.Payee, 10)))
            .Guarded("the transactions commit");

        // What is under way for a moment longer, as confirmations are, has timers too, but not for long.
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
    /// How many timers more there are than before. The delay is as long as a lock may be held, a minute here, and
    /// nobody cancels it when the clean-up is over.
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

    /// <summary>Accounts that have been used, so that their activations have what timers they have.</summary>
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
