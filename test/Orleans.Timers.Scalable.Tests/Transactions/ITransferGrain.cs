namespace Orleans.Timers.Scalable.Tests;

public interface ITransferGrain : IGrainWithIntegerKey
{
    /// <summary>Moves money, pausing halfway.</summary>
    [Transaction(TransactionOption.Create)]
    Task Transfer(string payer, string payee, int amount, TimeSpan pause, bool fail);
}
