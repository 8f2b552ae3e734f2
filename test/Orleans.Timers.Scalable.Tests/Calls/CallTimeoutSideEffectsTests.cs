using Microsoft.Extensions.DependencyInjection;
using Orleans.Storage;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A scope bounds the calls of its own code. It bounds neither Orleans' calls nor those of other code.
/// </summary>
[Collection(typeof(CallSilos))]
public sealed class CallTimeoutSideEffectsTests(CallSilos silos)
{
    private static readonly TimeSpan s_timeout = TimeSpan.FromMilliseconds(300);

    private readonly Guid _gate = Guid.NewGuid();

    private Gate Gate => Gate.Of(_gate);

    // When the filter bounded every call, the transaction was in doubt.
    [Fact]
    public async Task Begin_TransactionIsLongToCommit_IsCommitted()
    {
        var account = silos.First.Grains().GetGrain<IAccountGrain>(Guid.NewGuid().ToString());
        await account.Balance();
        HeldWrites.Hold(account.GetGrainId(), Gate);

        Task transaction;
        using (CallTimeout.Begin(s_timeout))
        {
            transaction = silos.First.ServiceProvider.GetRequiredService<ITransactionClient>()
                .RunTransaction(TransactionOption.Create, () => account.Add(10));
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
        var grain = silos.First.NewGrain();
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
        await Task.Delay(s_timeout * 2, TestContext.Current.CancellationToken);
        HeldWrites.Release(grain);
    }
}
