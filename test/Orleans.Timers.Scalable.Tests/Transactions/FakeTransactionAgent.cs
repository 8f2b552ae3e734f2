using Orleans.Transactions;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>An agent that does what its test says, and remembers its calls.</summary>
internal sealed class FakeTransactionAgent : ITransactionAgent
{
    internal List<string> Asked { get; } = [];

    internal TimeSpan Timeout { get; private set; }

    internal Task<TransactionInfo> Start { get; set; } = Task.FromResult(
        new TransactionInfo(Guid.NewGuid(), DateTime.UtcNow, DateTime.UtcNow));

    internal Task<(TransactionalStatus Status, Exception? Exception)> Resolution { get; set; } = Task.FromResult(
        (TransactionalStatus.Ok, (Exception?)null));

    internal Task Abortion { get; set; } = Task.CompletedTask;

    public Task<TransactionInfo> StartTransaction(bool readOnly, TimeSpan timeout)
    {
        Asked.Add("start");
        Timeout = timeout;
        return Start;
    }

    public Task<(TransactionalStatus Status, Exception? exception)> Resolve(TransactionInfo transactionInfo)
    {
        Asked.Add("resolve");
        return Resolution;
    }

    public Task Abort(TransactionInfo transactionInfo)
    {
        Asked.Add("abort");
        return Abortion;
    }
}
