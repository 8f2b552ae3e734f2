using Microsoft.Extensions.DependencyInjection;
using Orleans.Storage;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A scope bounds the calls of its own code. It bounds neither Orleans' calls nor those of other code.
/// </summary>
public sealed class CallTimeoutSideEffectsTests(TransactionalSilos silos) : IClassFixture<TransactionalSilos>
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(500);

    private readonly Guid _gate = Guid.NewGuid();

    private Gate Gate => Gate.Of(_gate);

    private TimerService Timers => silos.Silos[0].ServiceProvider.GetRequiredService<TimerService>();

    // When the filter bounded every call, the transaction was in doubt.
    [Fact]
    public async Task Begin_TransactionIsLongToCommit_IsCommitted()
    {
        var account = silos.Silos[0].Grains().GetGrain<IAccountGrain>(Guid.NewGuid().ToString());
        await account.Balance();
        HeldWrites.Hold(account.GetGrainId(), Gate);

        Task transaction;
        using (CallTimeout.Begin(s_timeout))
        {
            transaction = silos.Transactions.RunTransaction(TransactionOption.Create, () => account.Add(10));
        }

        await Gate.Reached.Guarded("the state is about to be stored");
        await OpenLate(account.GetGrainId());
        await transaction.Guarded("the transaction ends");
        Assert.Equal(10, await account.Balance().Guarded("the balance is known"));
    }

    // When the filter bounded every call, the write timed out. The loops that store the writes of many requests run in
    // the context of one of those requests.
    [Fact]
    public async Task Begin_MemoryStorageIsSlow_IsWaitedFor()
    {
        var grain = silos.Silos[0].NewGrain();
        HeldWrites.Hold(grain.GetGrainId(), Gate);

        var write = grain.Run(async self =>
        {
            using var scope = CallTimeout.Begin(s_timeout);
            await self.Services.GetRequiredKeyedService<IGrainStorage>(AccountGrain.Storage)
                .WriteStateAsync("test", grain.GetGrainId(), new GrainState<AccountState>(new AccountState()));
        });

        await Gate.Reached.Guarded("the state is about to be stored");
        await OpenLate(grain.GetGrainId());
        await write.Guarded("the write ends");
    }

    private async Task OpenLate(GrainId grain)
    {
        await Timers.Delay(s_timeout * 2, TestContext.Current.CancellationToken);
        HeldWrites.Release(grain);
        Gate.Open(0);
    }
}
