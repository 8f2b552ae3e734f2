namespace Orleans.Timers.Scalable.Tests;

public interface ITimedTransferGrain : IGrainWithIntegerKey
{
    /// <summary>As <see cref="ITransferGrain.Transfer"/>, with a deadline of its own.</summary>
    [TransactionWithDeadline(TransactionOption.Create, "00:00:00.400")]
    Task Transfer(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>As the other, and answers with the amount.</summary>
    [TransactionWithDeadline(TransactionOption.CreateOrJoin, "00:00:00.400")]
    Task<int> TransferAndTell(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>As the other, as a value task.</summary>
    [TransactionWithDeadline(TransactionOption.Create, "00:00:00.400")]
    ValueTask TransferByValueTask(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>As the other, as a value task that answers.</summary>
    [TransactionWithDeadline(TransactionOption.Create, "00:00:00.400")]
    ValueTask<int> TransferAndTellByValueTask(string payer, string payee, int amount, TimeSpan pause);

    /// <summary>Has no deadline of its own, and calls a method that has one and joins.</summary>
    [Transaction(TransactionOption.Create)]
    Task<int> TransferByJoining(string payer, string payee, int amount, TimeSpan pause);

    [TransactionWithDeadline(TransactionOption.Create, "soon")]
    Task TransferSoon(string payer, string payee, int amount, TimeSpan pause);
}
