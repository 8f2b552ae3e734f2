using Orleans.Concurrency;
using Orleans.Placement;

namespace Cluster.Bank;

[Reentrant]
[RandomPlacement]
internal sealed class TellerGrain : Grain, ITellerGrain
{
    public async Task Transfer(int transfer, int from, int to, long amount)
    {
        // In the order of account numbers, so that two transfers cannot wait for each other's account.
        foreach (var account in (int[])[Math.Min(from, to), Math.Max(from, to)])
        {
            await GrainFactory.GetGrain<IAccountGrain>(account).Change(transfer, account == from ? -amount : amount);
        }
    }
}

[Reentrant]
internal sealed class SlowGrain : Grain, ISlowGrain
{
#pragma warning disable STM001 // The same with and without the plugin.
    public Task AnswerTooLate() => Task.Delay(ISlowGrain.ResponseTimeout * 5);
#pragma warning restore STM001
}
