using Microsoft.Extensions.DependencyInjection;
using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Moves money between accounts, pausing halfway.</summary>
public interface ITransferGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task Transfer(string payer, string payee, int amount, TimeSpan pause, bool fail = false);

    /// <summary>Like <see cref="Transfer"/>, with its own deadline.</summary>
    [TransactionWithDeadline(TransactionOption.Create, "00:00:00.400")]
    Task TransferInTime(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>Like the other, and returns the amount.</summary>
    [TransactionWithDeadline(TransactionOption.CreateOrJoin, "00:00:00.400")]
    Task<int> TransferAndTell(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>Like the other, as a value task.</summary>
    [TransactionWithDeadline(TransactionOption.Create, "00:00:00.400")]
    ValueTask TransferByValueTask(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>Like the other, as a value task with a result.</summary>
    [TransactionWithDeadline(TransactionOption.Create, "00:00:00.400")]
    ValueTask<int> TransferAndTellByValueTask(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>Has no deadline itself, and calls a method that has one and joins the transaction.</summary>
    [Transaction(TransactionOption.Create)]
    Task<int> TransferByJoining(string payer, string payee, int amount, TimeSpan pause);

    [TransactionWithDeadline(TransactionOption.Create, "soon")]
    Task TransferSoon(string payer, string payee, int amount, TimeSpan pause);
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

    public Task TransferInTime(string payer, string payee, int amount, TimeSpan pause) =>
        Transfer(payer, payee, amount, pause, fail: false);

    public async Task<int> TransferAndTell(string payer, string payee, int amount, TimeSpan pause)
    {
        await TransferInTime(payer, payee, amount, pause);
        return amount;
    }

    public async ValueTask TransferByValueTask(string payer, string payee, int amount, TimeSpan pause) =>
        await TransferInTime(payer, payee, amount, pause);

    public async ValueTask<int> TransferAndTellByValueTask(string payer, string payee, int amount, TimeSpan pause) =>
        await TransferAndTell(payer, payee, amount, pause);

    public Task<int> TransferByJoining(string payer, string payee, int amount, TimeSpan pause) =>
        GrainFactory.GetGrain<ITransferGrain>(this.GetPrimaryKeyLong()).TransferAndTell(payer, payee, amount, pause);

    public Task TransferSoon(string payer, string payee, int amount, TimeSpan pause) =>
        TransferInTime(payer, payee, amount, pause);
}
