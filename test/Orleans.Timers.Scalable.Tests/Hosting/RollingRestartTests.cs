using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Configuration;
using Orleans.Serialization;
using Orleans.Storage;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Silos get the plugin one after another, and lose it again, while calls and transactions go on.</summary>
[Collection(typeof(Alone))]
public sealed class RollingRestartTests
{
    private const int Loops = 8;
    private const int InitialBalance = 1000;

    /// <summary>Leaves more than the difference between the response timeouts.</summary>
    private static readonly TimeSpan s_budget = TimeSpan.FromSeconds(5);

    private readonly ConcurrentDictionary<(string, GrainId), (byte[], int)> _stored = new();
    private readonly bool[] _hasPlugin = new bool[2];
    private readonly int[] _answers = new int[Loops];
    private readonly Guid _gate = Guid.NewGuid();
    private readonly Guid _bank = Guid.NewGuid();

    // Seen to fail when a header passed on by a silo without the plugin is taken for that silo's own: the silo with the
    // plugin refused all that came through the other, whose messages live for a shorter time.
    [Fact]
    public async Task Restart_OneSiloAfterTheOtherWithAndWithoutThePlugin_CallsAreAnsweredAndNoMoneyIsLost()
    {
        await using var cluster = await Clusters.Deploy(silos: 2, Configure, static client =>
        {
            client.AddScalableTimers().AddCallCancellation();
            client.Configure<GatewayOptions>(
                static gateways => gateways.GatewayListRefreshPeriod = TimeSpan.FromMilliseconds(200));
            client.Configure<ClientMessagingOptions>(
                static messaging => messaging.ResponseTimeout = TimeSpan.FromSeconds(6));
        });
        Gate.Of(_gate).Open(0);
        var accounts = Enumerable.Range(0, 2 * Loops).Select(Account).ToList();
        await Task.WhenAll(accounts.Select(account => UntilAnswered(async () =>
        {
            await cluster.Client.GetGrain<IAccountGrain>(account).Add(InitialBalance);
            return 0;
        }))).Guarded("the accounts get their money");
        using var stop = new CancellationTokenSource();
        var loops = Enumerable.Range(0, Loops).Select(number => Work(cluster.Client, number, stop.Token)).ToList();
        await EachIsAnswered();

        foreach (var (number, hasPlugin) in new[] { (1, true), (0, true), (1, false), (0, false) })
        {
            _hasPlugin[number] = hasPlugin;
            await cluster.RestartSiloAsync(cluster.Silo(number)).Guarded("a silo stops and starts");
            await EachIsAnswered();
        }

        await stop.CancelAsync();
        await Task.WhenAll(loops).Guarded("all calls end");
        var balances = Task.WhenAll(accounts.Select(
            account => UntilAnswered(cluster.Client.GetGrain<IAccountGrain>(account).Balance)));
        Assert.Equal(accounts.Count * InitialBalance, (await balances.Guarded("the balances are known")).Sum());
        await cluster.StopAllSilosAsync();
    }

    private void Configure(int number, ISiloBuilder silo)
    {
        silo.Services.AddKeyedSingleton<IGrainStorage>(AccountGrain.Storage, (services, _) =>
            new LastingStorage(_stored, services.GetRequiredService<Serializer>()));
        silo.UseTransactions();
        silo.Configure<TransactionalStateOptions>(static options =>
        {
            // A silo that stops leaves locks and confirmations behind.
            options.LockTimeout = options.PrepareTimeout = TimeSpan.FromSeconds(2);
            options.RemoteTransactionPingFrequency = options.ConfirmationRetryDelay = TimeSpan.FromSeconds(1);
        });
        var hasPlugin = _hasPlugin[number];
        silo.Configure<SiloMessagingOptions>(
            messaging => messaging.ResponseTimeout = TimeSpan.FromSeconds(hasPlugin ? 12 : 6));
        if (hasPlugin)
        {
            silo.AddScalableTimers().AddCallCancellation();
        }
    }

    private string Account(int number) => $"{_bank}/{number:d2}";

    /// <summary>Each loop has calls answered, with and without a transaction.</summary>
    private async Task EachIsAnswered()
    {
        var before = _answers.ToArray();
        await Eventually.True(
            () => _answers.Zip(before).All(static count => count.First > count.Second + 10), "calls are answered");
    }

    // Each loop has its own accounts, so that no transaction waits for another loop's.
    private async Task Work(IClusterClient client, int number, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            try
            {
                using var deadline = CallDeadline.Begin(s_budget);
                await client.GetGrain<ITransferGrain>(number)
                    .Transfer(Account(2 * number), Account((2 * number) + 1), 1, TimeSpan.Zero);
                await client.GetGrain<IAccountGrain>(Account(2 * number)).WaitApart(_gate);
                _answers[number]++;
            }
            catch (Exception exception) when (exception is TimeoutException or OrleansException)
            {
                await Task.Delay(10, CancellationToken.None);
            }
        }
    }

    private static async Task<int> UntilAnswered(Func<Task<int>> transact)
    {
        while (true)
        {
            try
            {
                return await transact();
            }
            catch (Exception exception) when (exception is TimeoutException or OrleansException)
            {
                await Task.Delay(20, TestContext.Current.CancellationToken);
            }
        }
    }
}
