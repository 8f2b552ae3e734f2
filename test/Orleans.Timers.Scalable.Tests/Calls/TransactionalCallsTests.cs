using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.TestingHost;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A call abandoned inside a transaction must not take effect in addition to what its caller did instead. When a method
/// has lost a call, its caller must not commit the other half.
/// </summary>
[Collection(typeof(CallSilos))]
public sealed class TransactionalCallsTests(CallSilos silos)
{
    private const int Amount = 10;
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(300);
    private static readonly TimeSpan s_lessThanALock = TimeSpan.FromSeconds(5);

    private readonly Guid _gate = Guid.NewGuid();
    private Task<int>? _payment;

    /// <summary>How a call inside a transaction fails for the method that made it.</summary>
    public enum LostBy
    {
        NotAwaited,
        CallersToken,
        ResponseTimeout,
        WithTimeout,
        WithTimeoutAndToken,
    }

    private Gate Gate => Gate.Of(_gate);

    // Without failing the transaction, both payments are committed, in each form. With only a fork that never joins,
    // which counts in one method only, they are if that method's failure is ignored.
    [Theory]
    [InlineData(LostBy.WithTimeout, "a method")]
    [InlineData(LostBy.WithTimeoutAndToken, "a method")]
    [InlineData(LostBy.WithTimeout, "a method whose failure is ignored")]
    [InlineData(LostBy.WithTimeout, "a transaction of the silo's client")]
    public async Task Timeout_CallerFallsBackAndAnswerArrives_NothingIsPaid(LostBy how, string place)
    {
        var accounts = new TwoAccounts(silos.First.Grains());
        Task Pay() => silos.First.NewGrain().RunInATransaction(self => PayEither(self, accounts, how));
        var payment = place switch
        {
            "a method" => Pay(),
            "a method whose failure is ignored" => RunAndForget(silos.First, self => PayEither(self, accounts, how)),
            _ => silos.First.ServiceProvider.GetRequiredService<ITransactionClient>()
                .RunTransaction(TransactionOption.Create, Pay),
        };

        var error = await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => payment.Guarded("the payment ends"));

        Assert.Contains(
            s_timeout.ToString(),
            Assert.IsType<TimeoutException>(error.InnerException).Message,
            StringComparison.Ordinal);
        await accounts.AssertBalances(0, 0);
    }

    // Seen to fail without the fork: the method's own payment is committed.
    [Fact]
    public async Task WithTimeout_OfAServiceThatBelongsToNoSilo_IsRefusedAndNothingIsPaid()
    {
        using var timers = new TimerService();
        var accounts = new TwoAccounts(silos.First.Grains());
        await AssertAborts(silos.First, async _ =>
        {
            await Assert.ThrowsAsync<InvalidOperationException>(
                () => timers.WithTimeout(accounts.Payer.Add(Amount), s_timeout));
            await accounts.Payee.Add(Amount);
        });

        await accounts.AssertBalances(0, 0);
    }

    // If the nested method's failure is not recorded, its earlier payment is committed.
    [Theory]
    [InlineData(LostBy.NotAwaited)]
    [InlineData(LostBy.CallersToken)]
    [InlineData(LostBy.ResponseTimeout)]
    public async Task Call_LostInAMethodWhoseFailureIsIgnored_NothingIsPaid(LostBy how)
    {
        var accounts = new TwoAccounts(silos.Second.Grains());
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => RunAndForget(silos.Second, async self =>
            {
                await accounts.Payee.Add(Amount);
                await LoseCall(self, accounts.Payer, how);
            }));

        Gate.Open(0);
        Assert.Equal(0, await TwoAccounts.Balance(accounts.Payee).Guarded("the balance is known"));
    }

    // Orleans aborts a transaction only where answers came from. Seen to fail without the filter: the account stays
    // locked until the lock expires. The last two were seen to fail when a call counted as lost only once it had ended.
    [Theory]
    [InlineData(LostBy.CallersToken)]
    [InlineData(LostBy.ResponseTimeout)]
    [InlineData(LostBy.WithTimeout)]
    [InlineData(LostBy.WithTimeoutAndToken)]
    public async Task Call_LostInATransaction_LeavesNoLock(LostBy how)
    {
        // In the first silo a cancelled call ends with its method.
        foreach (var silo in how == LostBy.CallersToken ? [silos.Second] : silos.Cluster.Silos)
        {
            var accounts = await AccountsKnownTo(silo);
            await AssertAborts(silo, self => LoseCall(self, accounts.Payer, how));

            Assert.Equal(0, await accounts.Payer.Balance().WaitAsync(s_lessThanALock));
        }

        Gate.Open(0);
    }

    // Seen to hang when two decorators of the transaction agent resolved each other.
    [Theory]
    [InlineData("UseTransactions", "AddCallCancellation", "ConfigureTransactionPhases")]
    [InlineData("ConfigureTransactionPhases", "AddCallCancellation")]
    [InlineData("AddCallCancellation", "UseTransactions", "UseTransactions", "AddCallCancellation")]
    public async Task Call_LostAndSiloConfiguredInAnyOrder_LeavesNoLock(params string[] order)
    {
        await using var cluster = await Clusters.Deploy(2, (_, silo) => Configure(silo, order));
        var silo = cluster.Silo(1);
        var accounts = await AccountsKnownTo(silo);
        await AssertAborts(silo, self => LoseCall(self, accounts.Payer, LostBy.ResponseTimeout));

        Assert.Equal(0, await accounts.Payer.Balance().WaitAsync(s_lessThanALock));
        Gate.Open(0);
    }

    // Seen to start without the check of the agent: locks of lost calls then stay for 9.4 s.
    [Theory]
    [InlineData("AddCallCancellation", "UseTransactions")]
    [InlineData("UseTransactions", "AddCallCancellation", "UseTransactions")]
    [InlineData("ConfigureTransactionPhases", "UseTransactions", "AddCallCancellation")]
    public async Task Start_UseTransactionsIsCalledLast_IsRefusedNamingTheOrder(params string[] order)
    {
        await using var cluster = Clusters.Build(2, (_, silo) => Configure(silo, order));

        var error = await Record.ExceptionAsync(() => cluster.DeployAsync());

        Assert.Contains("after the last call of UseTransactions", error?.ToString(), StringComparison.Ordinal);
    }

    // Seen to start, too.
    [Fact]
    public async Task Start_OfAClientWithUseTransactionsLast_IsRefusedNamingTheOrder()
    {
        await using var cluster = Clusters.Build(
            1, static (_, _) => { }, static client => client.AddCallCancellation().UseTransactions());

        var error = await Record.ExceptionAsync(() => cluster.DeployAsync());

        Assert.Contains("after the last call of UseTransactions", error?.ToString(), StringComparison.Ordinal);
    }

    // While a silo stands still, a thousand calls may be lost each second. Seen to fail without the bound: an abort for
    // each waits for the silo.
    [Fact]
    public async Task Abort_ManyCallsAreLost_SomeAreToldAtATimeAndInTheEndAll()
    {
        const int Lost = LostCallees.AtOnce * 2;
        var aborts = new Gate { Expected = LostCallees.AtOnce };
        await using var cluster = await Clusters.Deploy(2, (_, silo) =>
            Configure(silo, "UseTransactions", "AddCallCancellation")
                .AddIncomingGrainCallFilter(call => HoldAbort(call, aborts)));
        var silo = cluster.Silo(1);
        _ = await AccountsKnownTo(silo);
        Gate.Expected = Lost;
        await Task.WhenAll(Enumerable.Range(0, Lost).Select(_ =>
        {
            var payer = new TwoAccounts(silo.Grains()).Payer;
            return AssertAborts(silo, _ => payer.AddSoonAfter(1, _gate));
        }));

        await aborts.Reached.Guarded("some aborts arrive");
        await Task.Delay(TimeSpan.FromMilliseconds(200), TestContext.Current.CancellationToken);
        Assert.Equal(LostCallees.AtOnce, aborts.Arrivals);
        aborts.Open(0);

        await Eventually.True(() => aborts.Arrivals == 2 * Lost, "each is told twice");
        Gate.Open(0);
    }

    // Like a request that the abort overtakes. Seen to fail if the abort is sent once.
    [Fact]
    public async Task Call_LocksAfterItWasLost_LeavesNoLock()
    {
        var accounts = await AccountsKnownTo(silos.Second);
        await AssertAborts(silos.Second, _ => accounts.Payer.AddSoonAfter(Amount, _gate));

        await LetLostCallLock(accounts.Payer);

        Assert.Equal(0, await accounts.Payer.Balance().WaitAsync(s_lessThanALock));
    }

    // Like a silo that stands still for longer than the abort may take. Seen to fail if the abort is not repeated.
    [Fact]
    public async Task Call_LocksAfterAnAbortTimedOut_LeavesNoLock()
    {
        var aborts = new Gate { Expected = 3 };
        await using var cluster = await Clusters.Deploy(2, (_, silo) => silo
            .AddMemoryGrainStorage(AccountGrain.Storage)
            .UseTransactions()
            .AddCallCancellation()
            .Configure<SiloMessagingOptions>(static options => options.ResponseTimeout = TimeSpan.FromSeconds(2))
            .AddIncomingGrainCallFilter(call => HoldAbort(call, aborts)));
        var silo = cluster.Silo(1);
        var accounts = await AccountsKnownTo(silo);
        await AssertAborts(silo, _ => accounts.Payer.AddSoonAfter(Amount, _gate));

        await aborts.Reached.Guarded("the abort is repeated");
        await LetLostCallLock(accounts.Payer);
        aborts.Open(0);

        Assert.Equal(0, await accounts.Payer.Balance().WaitAsync(s_lessThanALock));
    }

    // Orleans forgets the lost call where RunTransaction joins. Seen to fail if the callee is told at once: the abort
    // drops the first payment, the lost call pays another, and that is committed.
    [Fact]
    public async Task Call_LostInJoinedRunTransaction_NothingIsPaid()
    {
        var accounts = await AccountsKnownTo(silos.Second);
        await AssertAborts(silos.Second, async self =>
        {
            await accounts.Payer.Add(Amount);
            await accounts.Payee.Add(Amount);
            await self.Services.GetRequiredService<ITransactionClient>().RunTransaction(
                TransactionOption.CreateOrJoin,
                () => Assert.ThrowsAsync<TimeoutException>(() => accounts.Payer.AddSoonAfter(1, _gate)));

            await LetLostCallLock(accounts.Payer);
        });

        await accounts.AssertBalances(0, 0);
    }

    // Seen to fail when the callee was made a participant, which a commit waits for.
    [Fact]
    public async Task Call_LostInJoinedRunTransaction_TheRestIsPaid()
    {
        var accounts = new TwoAccounts(silos.Second.Grains());
        var silent = new TwoAccounts(silos.Second.Grains());
        await silos.Second.NewGrain().RunInATransaction(_ => accounts.Payee.Add(0));
        await silos.Second.NewGrain().RunInATransaction(async self =>
        {
            await self.Services.GetRequiredService<ITransactionClient>().RunTransaction(
                TransactionOption.Join,
                () => Assert.ThrowsAsync<TimeoutException>(() => silent.Payer.AddSoonAfter(1, _gate)));
            await accounts.Payer.Add(Amount);
            await accounts.Payee.Add(Amount);
        }).Guarded("the payment ends");

        await accounts.AssertBalances(Amount, Amount);
        Gate.Open(0);
    }

    // The call is made, and lost, when its method has ended. Seen to fail if the callee is told at once.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public async Task Call_LostAfterItsMethod_NothingIsPaid(int caller)
    {
        var accounts = await AccountsKnownTo(silos.Second);
        await silos.First.NewGrain().RunInATransaction(_ => accounts.Payee.Add(0));
        await AssertAborts(silos.Second, async _ =>
        {
            await accounts.Payer.Add(Amount);
            await accounts.Payee.Add(Amount);
            var ended = new TaskCompletionSource();
            var call = Task.CompletedTask;
            await (caller == 0 ? silos.First : silos.Second).NewGrain().RunInATransaction(_ =>
            {
                call = Call();
                return Task.CompletedTask;
            });
            ended.SetResult();
            await Assert.ThrowsAsync<TimeoutException>(() => call);
            await LetLostCallLock(accounts.Payer);

            async Task Call()
            {
                await ended.Task;
                await accounts.Payer.AddSoonAfter(1, _gate);
            }
        });

        await accounts.AssertBalances(0, 0);
    }

    // Seen to fail if the filter keeps the first answer: Orleans joins it twice, and both payments are committed.
    [Fact]
    public async Task Call_AnsweredAndLostWhenRepeated_NothingIsPaid()
    {
        var accounts = await AccountsKnownTo(silos.Second);
        var opened = Guid.NewGuid();
        Gate.Of(opened).Open(0);
        await AssertAborts(silos.Second, async _ =>
        {
            CallFilters.RepeatsAnswered.Value = _gate;
            await Assert.ThrowsAsync<TimeoutException>(() => accounts.Payer.AddSoonAfter(Amount, opened));
            await LetLostCallLock(accounts.Payer);
            await accounts.Payee.Add(Amount);
        });

        await accounts.AssertBalances(0, 0);
    }

    // Failed when the cancellation itself failed the transaction: it aborted although no call had been sent.
    [Fact]
    public async Task Call_IsCancelledBeforeItIsMade_TheRestIsPaid()
    {
        var accounts = new TwoAccounts(silos.Second.Grains());
        await silos.Second.NewGrain().RunInATransaction(async _ =>
        {
            await accounts.Payee.Add(Amount);
            CallFilters.Waits.Value = Gate;
            await Cancel(accounts.Payer);
        }).Guarded("the payment ends");

        await accounts.AssertBalances(0, Amount);
    }

    /// <summary>Accounts that a silo can tell of an abort, because an answer has come from one of their kind.</summary>
    private static async Task<TwoAccounts> AccountsKnownTo(InProcessSiloHandle silo)
    {
        var accounts = new TwoAccounts(silo.Grains());
        await silo.NewGrain().RunInATransaction(_ => accounts.Payee.Add(0)).Guarded("the payment ends");
        return accounts;
    }

    private static Task<OrleansTransactionAbortedException> AssertAborts(
        InProcessSiloHandle silo, Func<ScriptableGrain, Task> script) =>
        Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(
            () => silo.NewGrain().RunInATransaction(script).Guarded("the payment ends"));

    /// <summary>Runs a script as a part of the transaction of a method that ignores the script's failure.</summary>
    private static Task RunAndForget(InProcessSiloHandle silo, Func<ScriptableGrain, Task> script) =>
        silo.NewGrain().RunInATransaction(_ => AssertAborts(silo, script)).Guarded("the payment ends");

    private static ISiloBuilder Configure(ISiloBuilder silo, params string[] order)
    {
        silo.AddMemoryGrainStorage(AccountGrain.Storage);
        foreach (var step in order)
        {
            _ = step switch
            {
                "UseTransactions" => silo.UseTransactions(),
                "AddCallCancellation" => silo.AddCallCancellation(),
                _ => silo.ConfigureTransactionPhases(),
            };
        }

        return silo;
    }

    private static async Task HoldAbort(IIncomingGrainCallContext call, Gate gate)
    {
        if (call.MethodName == nameof(ITransactionalResourceExtension.Abort))
        {
            gate.Arrived();
            await gate.Opened;
        }

        await call.Invoke();
    }

    /// <summary>
    /// Pays to one account and, when that takes too long, to another. The first answers before this method ends.
    /// </summary>
    private async Task PayEither(ScriptableGrain self, TwoAccounts accounts, LostBy how)
    {
        var call = Pay(self, accounts.Payer, how);
        await Gate.Reached.Guarded("the first payment arrives");
        await Assert.ThrowsAsync<TimeoutException>(() => call);

        await accounts.Payee.Add(Amount);
        Gate.Open(Amount);
        await ((Task)_payment!).Guarded("the first payment ends").ConfigureAwait(
            ConfigureAwaitOptions.SuppressThrowing | ConfigureAwaitOptions.ContinueOnCapturedContext);
    }

    private Task<int> Pay(ScriptableGrain self, IAccountGrain account, LostBy how)
    {
        var timers = self.Services.GetRequiredService<TimerService>();
        return how == LostBy.WithTimeout
            ? timers.WithTimeout(_payment = account.AddLate(Amount, _gate), s_timeout)
            : timers.WithTimeout(token => _payment = account.AddCancellable(Amount, _gate, token), s_timeout);
    }

    /// <summary>
    /// Lets a call of <see cref="IAccountGrain.AddSoonAfter"/> that was lost get the lock, after the first abort.
    /// </summary>
    private async Task LetLostCallLock(IAccountGrain account)
    {
        // The first abort has arrived before this call.
        var opened = Guid.NewGuid();
        Gate.Of(opened).Open(0);
        await account.WaitApart(opened);
        Gate.Expected = 2;
        Gate.Open(0);
        await Gate.Reached.Guarded("the lost call has the lock");
    }

    private async Task LoseCall(ScriptableGrain self, IAccountGrain account, LostBy how)
    {
        switch (how)
        {
            case LostBy.CallersToken:
                await Cancel(account);
                break;
            case LostBy.ResponseTimeout:
                await Assert.ThrowsAsync<TimeoutException>(() => account.AddSoon(Amount, _gate));
                break;
            case LostBy.NotAwaited:
                account.AddLate(Amount, _gate).Ignore();
                await Gate.Reached.Guarded("the payment arrives");
                break;
            default:
                await Assert.ThrowsAsync<TimeoutException>(() => Pay(self, account, how));
                break;
        }
    }

    /// <summary>Begins a payment, and cancels it when it has arrived at the account or at a waiting filter.</summary>
    private async Task Cancel(IAccountGrain account)
    {
        using var cancellation = new CancellationTokenSource();
        var call = account.AddCancellable(Amount, _gate, cancellation.Token);
        await Gate.Reached.Guarded("the payment arrives");
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Guarded("the payment is cancelled"));
    }
}
