namespace Orleans.Timers.Scalable.Tests;

public interface ITimedTransferGrain : IGrainWithIntegerKey
{
    /// <summary>Like <see cref="ITransferGrain.Transfer"/>, with its own deadline.</summary>
    [TransactionWithDeadline(TransactionOption.Create, "00:00:00.400")]
    Task Transfer(string payer, string payee, int amount, TimeSpan pause);

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
