using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Orleans.Concurrency;
using Orleans.Timers.Scalable;
using Orleans.Transactions.Abstractions;

// Two silos with all parts of the plugin. It prints what came of each use, and what the silos report and warn of.
var primary = new IPEndPoint(IPAddress.Loopback, FreePort());
using var first = Silo(primary.Port);
using var second = Silo(FreePort());
await first.StartAsync();
await second.StartAsync();

var grains = first.Services.GetRequiredService<IGrainFactory>();
var bank = grains.GetGrain<IBankGrain>(0);
for (var i = 0; i < 10; i++)
{
    await bank.Transfer(i, i + 1, 10);
}

var balances = await Task.WhenAll(Enumerable.Range(0, 11).Select(i => grains.GetGrain<IAccountGrain>(i).Balance()));
Console.WriteLine($"The balances are {string.Join(", ", balances)}.");

var sleeper = grains.GetGrain<ISleeperGrain>(0);
var sleep = sleeper.Sleep(CancellationToken.None);
await sleeper.Deactivate();
await ((Task)sleep).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
Console.WriteLine($"The sleep ended: {sleep.Status}.");

await second.StopAsync();
await first.StopAsync();
Console.WriteLine("The silos have stopped.");

IHost Silo(int port)
{
    var builder = Host.CreateApplicationBuilder(args);
    builder.Logging.SetMinimumLevel(LogLevel.Warning)
        .AddFilter("ScalableTimers.Orleans.StartReport", LogLevel.Information);
    builder.UseOrleans(silo =>
    {
        silo.UseLocalhostClustering(port, FreePort(), primary);
        silo.AddMemoryGrainStorageAsDefault();
        silo.UseTransactions();
        silo.AddScalableTimers();
        silo.AddCallCancellation();
        silo.ConfigureTransactionPhases(phases => phases.LockAcquisition = TimeSpan.FromSeconds(5));
    });
    return builder.Build();
}

static int FreePort()
{
    using var listener = new TcpListener(IPAddress.Loopback, 0);
    listener.Start();
    return ((IPEndPoint)listener.LocalEndpoint).Port;
}

internal interface IBankGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.Create)]
    Task Transfer(int from, int to, int amount);
}

internal interface IAccountGrain : IGrainWithIntegerKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Balance();
}

internal interface ISleeperGrain : IGrainWithIntegerKey
{
    Task Sleep(CancellationToken cancellationToken);

    [AlwaysInterleave]
    Task Deactivate();
}

[GenerateSerializer]
internal sealed class Account
{
    [Id(0)]
    public int Balance { get; set; }
}

[StatelessWorker]
internal sealed class BankGrain : Grain, IBankGrain
{
    public Task Transfer(int from, int to, int amount) => Task.WhenAll(
        GrainFactory.GetGrain<IAccountGrain>(from).Add(-amount),
        GrainFactory.GetGrain<IAccountGrain>(to).Add(amount));
}

[Reentrant]
internal sealed class AccountGrain([TransactionalState("account")] ITransactionalState<Account> account)
    : Grain, IAccountGrain
{
    public Task Add(int amount) => account.PerformUpdate(state => state.Balance += amount);

    public Task<int> Balance() => account.PerformRead(static state => state.Balance);
}

internal sealed class SleeperGrain(IGrainDelay delay) : Grain, ISleeperGrain
{
    public async Task Sleep(CancellationToken cancellationToken) =>
        await delay.Delay(TimeSpan.FromSeconds(3), cancellationToken);

    public Task Deactivate()
    {
        DeactivateOnIdle();
        return Task.CompletedTask;
    }
}
