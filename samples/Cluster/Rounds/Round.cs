using System.Net;
using Cluster.Bank;
using Cluster.Faults;
using Cluster.Load;
using Cluster.Silos;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Npgsql;
using Orleans.Configuration;

namespace Cluster.Rounds;

/// <summary>One scenario with one variant, in a database of its own.</summary>
internal sealed class Round(ClusterSettings settings, Scenario scenario, bool hasPlugin, bool recoversFast)
{
    private static readonly TimeSpan s_longLength = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    public string Title =>
        (hasPlugin ? "with AddScalableTimers()" : "Orleans alone") + (recoversFast ? ", fast recovery" : ", defaults");

    private TimeSpan WarmUp => s_second * (settings.IsQuick ? 15 : 25);

    private TimeSpan Settle => s_second * (settings.IsQuick ? 15 : recoversFast ? 25 : 50);

    public async Task<RoundResult> RunAsync(CancellationToken cancellationToken)
    {
        await PostgresServer.PrepareAsync(settings.Postgres);
        var connection = new NpgsqlConnectionStringBuilder(settings.Postgres) { MaxPoolSize = 60 };
        using var database = scenario.HasDatabaseProxy ? new Proxy(static _ => -1) : null;
        if (database is not null)
        {
            database.PassTo(new DnsEndPoint(connection.Host!, connection.Port));
            (connection.Host, connection.Port) = (IPAddress.Loopback.ToString(), database.Port);
        }

        var silo = new SiloSettings("", "bank", connection.ConnectionString, false, recoversFast, 0, 0, 0);
        var load = default(BankLoad);
        var run = default(FaultRun);
        var figures = new List<SiloFigures>();
        using (var cluster = new SiloCluster(silo, scenario.HasProxies))
        using (var ending = cancellationToken.Register(cluster.Dispose))
        {
            for (var number = 0; number < SiloCluster.Size; number++)
            {
                cluster.Start(number, hasPlugin && scenario.StartsWithPlugin(number));
            }

            using var client = await ConnectAsync(silo, cancellationToken);
            load = new BankLoad(client.Services.GetRequiredService<IGrainFactory>(), hasPlugin);
            run = new FaultRun(cluster, load, hasPlugin, settings.IsQuick, Settle, settings.Server, database);
            var working = load.RunAsync();
            using var watching = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            var watch = WatchAsync(run, watching.Token);
            await Task.Delay(WarmUp, cancellationToken);
            do
            {
                await scenario.RunAsync(run);
                cancellationToken.ThrowIfCancellationRequested();
            }
            while (settings.IsLong && load.Elapsed < s_longLength);

            load.Stop();
            await working.WaitAsync(cancellationToken);
            await watching.CancelAsync();
            await watch;
            await cluster.StopAsync();
            figures.AddRange(cluster.AllFigures);
            await client.StopAsync(CancellationToken.None);
        }

        var waits = figures.Aggregate(WaitFigures.None, static (sum, each) => sum + each.Waits);
        var errors = await AuditAsync(silo, load, cancellationToken);
        var isAllPlugin = hasPlugin && Enumerable.Range(0, SiloCluster.Size).All(scenario.StartsWithPlugin);
        return new RoundResult(
            scenario.Name,
            Title,
            run.Marks,
            load.CommittedBySecond,
            load.Transfers,
            load.Lateness,
            waits,
            figures.SelectMany(static each => each.Log)
                .GroupBy(static entry => entry.Key, static entry => entry.Value)
                .ToDictionary(static group => group.Key, static group => group.Sum()),
            figures.Sum(static each => each.ProcessorSeconds),
            figures.TakeLast(SiloCluster.Size).Sum(static each => each.Megabytes),
            isAllPlugin && waits.Early != 0 ? [.. errors, $"{waits.Early} waits ended early."] : errors);
    }

    /// <summary>A silo that has seen nothing of the round reads what the database holds.</summary>
    private async Task<IReadOnlyList<string>> AuditAsync(
        SiloSettings silo, BankLoad load, CancellationToken cancellationToken)
    {
        var fresh = silo with { Cluster = "audit", Postgres = settings.Postgres };
        using var cluster = new SiloCluster(fresh, hasProxies: false);
        using var ending = cancellationToken.Register(cluster.Dispose);
        cluster.Start(0, hasPlugin);
        using var client = await ConnectAsync(fresh, cancellationToken);
        var errors = await Audit.RunAsync(client.Services.GetRequiredService<IGrainFactory>(), load.Transfers);
        await cluster.StopAsync();
        await client.StopAsync(CancellationToken.None);
        return errors;
    }

    private async Task<IHost> ConnectAsync(SiloSettings silo, CancellationToken cancellationToken)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.UseOrleansClient(client =>
        {
            client.Configure<ClusterOptions>(silo.Identify);
            client.UseAdoNetClustering(options =>
            {
                options.Invariant = BankSilo.Invariant;
                options.ConnectionString = silo.Postgres;
            });
            client.Configure<GatewayOptions>(
                static options => options.GatewayListRefreshPeriod = TimeSpan.FromSeconds(5));
            client.UseConnectionRetryFilter(static async (_, cancellation) =>
            {
                await Task.Delay(s_second, cancellation);
                return true;
            });
            if (hasPlugin)
            {
                client.AddScalableTimers().AddCallDeadlines();
            }
        });
        var host = builder.Build();
        await host.StartAsync(cancellationToken);
        return host;
    }

    /// <summary>Prints a line a second, and marks when a silo is declared dead.</summary>
    private async Task WatchAsync(FaultRun run, CancellationToken cancellationToken)
    {
        await using var database = NpgsqlDataSource.Create(settings.Postgres);
        var dead = new HashSet<(string, int)>();
        var printed = 0;
        while (!cancellationToken.IsCancellationRequested)
        {
            foreach (var silo in await PostgresServer.ReadDeadAsync(database))
            {
                if (dead.Add(silo))
                {
                    run.Mark($"{silo.Name} is dead by the membership table");
                }
            }

            var done = string.Concat(run.Marks.Skip(printed).Select(static mark => $"  {mark.What}"));
            printed = run.Marks.Count;
            var rate = run.Load.CommittedBySecond is [.., var last] ? last : 0;
            Console.WriteLine(
                $"{run.Load.Elapsed.TotalSeconds,4:N0} s {rate,5:N0} transfers a second  "
                    + $"{run.Cluster.Alive.Count()} silos{done}");
            await Task.Delay(s_second, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
