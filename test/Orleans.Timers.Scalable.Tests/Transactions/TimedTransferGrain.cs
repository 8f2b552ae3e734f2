using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests;

[StatelessWorker]
[Reentrant]
internal sealed class TimedTransferGrain(IGrainDelay delay) : Grain, ITimedTransferGrain
{
    public async Task Transfer(string payer, string payee, int amount, TimeSpan pause)
    {
        // The accounts are always locked in the same order, whichever way the money goes. So transfers wait for each
        // other, but never in a circle.
        var changes = new[] { (Account: payer, Amount: -amount), (Account: payee, Amount: amount) };
        Array.Sort(changes, static (one, other) => string.CompareOrdinal(one.Account, other.Account));
        foreach (var (account, change) in changes)
        {
            await GrainFactory.GetGrain<IAccountGrain>(account).Add(change);
        }

        await delay.Delay(pause);
    }

    public async Task<int> TransferAndTell(string payer, string payee, int amount, TimeSpan pause)
    {
        await Transfer(payer, payee, amount, pause);
        return amount;
    }

    public async ValueTask TransferByValueTask(string payer, string payee, int amount, TimeSpan pause) =>
        await Transfer(payer, payee, amount, pause);

    public async ValueTask<int> TransferAndTellByValueTask(string payer, string payee, int amount, TimeSpan pause) =>
        await TransferAndTell(payer, payee, amount, pause);

    public Task<int> TransferByJoining(string payer, string payee, int amount, TimeSpan pause) =>
        GrainFactory.GetGrain<ITimedTransferGrain>(this.GetPrimaryKeyLong())
            .TransferAndTell(payer, payee, amount, pause);

    public Task TransferSoon(string payer, string payee, int amount, TimeSpan pause) =>
        Transfer(payer, payee, amount, pause);
}
