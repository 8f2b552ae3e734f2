using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Orleans.Concurrency;
using Orleans.Transactions.Abstractions;

var builder = Host.CreateApplicationBuilder(args);
builder.UseOrleans(static silo =>
{
    silo.UseLocalhostClustering(siloPort: FreePort(), gatewayPort: FreePort());
    silo.AddMemoryGrainStorageAsDefault();
    silo.UseTransactions();
    silo.AddScalableTimers();
});

using var host = builder.Build();
await host.StartAsync();
var account = host.Services.GetRequiredService<IGrainFactory>().GetGrain<IAccountGrain>("one");
await account.Add(10);
Console.WriteLine($"The balance is {await account.Balance()}.");
await host.StopAsync();

static int FreePort()
{
    using var listener = new TcpListener(IPAddress.Loopback, 0);
    listener.Start();
    return ((IPEndPoint)listener.LocalEndpoint).Port;
}

internal interface IAccountGrain : IGrainWithStringKey
{
    [Transaction(TransactionOption.CreateOrJoin)]
    Task Add(int amount);

    [Transaction(TransactionOption.CreateOrJoin)]
    Task<int> Balance();
}

[GenerateSerializer]
internal sealed class Account
{
    [Id(0)]
    public int Balance { get; set; }
}

[Reentrant]
internal sealed class AccountGrain([TransactionalState("account")] ITransactionalState<Account> account)
    : Grain, IAccountGrain
{
    public Task Add(int amount) => account.PerformUpdate(state => state.Balance += amount);

    public Task<int> Balance() => account.PerformRead(static state => state.Balance);
}
