using Microsoft.Extensions.DependencyInjection;
using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Moves money between accounts, pausing halfway.</summary>
public interface ITransferGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task Transfer(string payer, string payee, int amount, TimeSpan pause, bool fail = false);
}

[StatelessWorker]
[Reentrant]
internal sealed class TransferGrain : Grain, ITransferGrain
{
    public async Task Transfer(string payer, string payee, int amount, TimeSpan pause, bool fail)
    {
        // The accounts are always locked in the same order, whichever way the money goes, so transfers wait for each
        // other, but never in a circle.
        var changes = new[] { (Account: payer, Amount: -amount), (Account: payee, Amount: amount) };
        Array.Sort(changes, static (one, other) => string.CompareOrdinal(one.Account, other.Account));

        await GrainFactory.GetGrain<IAccountGrain>(changes[0].Account).Add(changes[0].Amount);

        // A silo without scalable timers has none.
        var delays = ServiceProvider.GetService<IGrainDelay>();
        await (delays?.Delay(pause).AsTask() ?? Task.Delay(pause));
        if (fail)
        {
            throw new InvalidOperationException("A transfer that fails on purpose.");
        }

        await GrainFactory.GetGrain<IAccountGrain>(changes[1].Account).Add(changes[1].Amount);
    }
}
