using Orleans.Concurrency;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Like <see cref="IScriptedGrain"/>, but for one request at a time, and with calls of other kinds.</summary>
public interface IDeadlineProbeGrain : IScriptedGrain
{
    [OneWay]
    Task RunOneWay(Guid script);

    [ResponseTimeout("00:00:07")]
    Task RunWithAResponseTimeout(Guid script);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task RunInATransaction(Guid script);

    IAsyncEnumerable<TimeSpan?> Enumerate();
}
