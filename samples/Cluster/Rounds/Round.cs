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

/// <summary>One scenario with one variant, in its own database.</summary>
internal sealed class Round(
    ClusterSettings settings, string postgres, Scenario scenario, bool hasPlugin, bool recoversFast)
{
    /// <summary>The length of all rounds of a scenario together, if they are long and need no more.</summary>
    private static readonly TimeSpan s_longLength = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(1);

    public string Title => $"{scenario.Name}, {Preset}, {Variant}.\n{scenario.What}."
        + (Faults < scenario.Faults.Length ? " With --quick, only the first half of that." : string.Empty);

    private string Variant => hasPlugin ? "with AddScalableTimers()" : "Orleans alone";

    private string Preset => recoversFast ? "fast recovery" : "defaults";

    private int WarmUp => settings.IsQuick ? 10 : 30;

    private int Settle => scenario.Settle ?? (settings.IsQuick ? 15 : recoversFast ? 25 : 50);

    /// <summary>The number of faults in a round. A long one may have more.</summary>
    private int Faults => settings.IsQuick ? (scenario.Faults.Length + 1) / 2 : scenario.Faults.Length;

    public async Task<RoundResult> RunAsync(CancellationToken cancellationToken)
    {
        await PostgresServer.PrepareAsync(postgres);
        var connection = new NpgsqlConnectionStringBuilder(postgres) { MaxPoolSize = 60 };
        using var database = scenario.HasDatabaseProxy ? new Proxy(static _ => 0) : null;
        if (database is not null)
        {
            database.PassTo(new DnsEndPoint(connection.Host!, connection.Port));
            (connection.Host, connection.Port) = (IPAddress.Loopback.ToString(), database.Port);
        }

        var silo = new SiloSettings("", "bank", connection.ConnectionString, false, recoversFast, 0, 0, 0);
        using var cluster = new SiloCluster(silo, scenario.HasProxies);
        await using var ending = cancellationToken.Register(cluster.Kill);
        for (var number = 0; number < SiloCluster.Size; number++)
        {
            cluster.Start(number, hasPlugin && scenario.StartsWithPlugin(number));
        }

        await WaitForSilosAsync(cancellationToken);
        using var client = await ConnectAsync(silo, cancellationToken);
        var load = new BankLoad(client.Services.GetRequiredService<IGrainFactory>(), hasPlugin);
        var run = new FaultRun(
            cluster, load, hasPlugin, recoversFast, settings.Server, database, cancellationToken);
        var working = load.RunAsync();
        using var watching = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var watch = WatchAsync(run, watching.Token);
        Console.WriteLine($"The load warms up for {WarmUp} s.");
        await run.WaitAsync(WarmUp);
        do
        {
            run.FaultsAt.Add(load.Elapsed.TotalSeconds);
            await scenario.Faults[(run.FaultsAt.Count - 1) % scenario.Faults.Length](run);
            await SettleAsync(run);
        }
        while (GoesOn(run));

        load.Stop();
        await working.WaitAsync(cancellationToken);
        await watching.CancelAsync();
        await watch;
        await cluster.StopAsync();
        await client.StopAsync(CancellationToken.None);

        return new RoundResult(
            scenario.Name,
            Preset,
            Variant,
            run.Marks,
            run.FaultsAt,
            load.CommittedBySecond,
            load.Transfers.CountBy(static each => each.Fate).ToDictionary(),
            load.LongestPauseOfAccount(run.FaultsAt[0]),
            load.Lateness,
            [.. cluster.Started
                .Where(static each => each.Figures is not null)
                .Select(static each => (each.Settings.HasPlugin, each.Figures!))],
            cluster.Current.Sum(static each => each.Figures?.Megabytes ?? 0),
            [.. cluster.Started.SelectMany(ErrorsOf), .. await AuditAsync(silo, load, cancellationToken)]);
    }

    /// <summary>Gives the cluster time to recover, and restarts silos that have ended themselves.</summary>
    private async Task SettleAsync(FaultRun run)
    {
        await run.WaitAsync(Settle);
        for (var silo = 0; silo < SiloCluster.Size; silo++)
        {
            if (!run.Cluster[silo].IsAlive)
            {
                run.Start(silo, hasPlugin);
                await run.WaitAsync(Settle);
            }
        }
    }

    private bool GoesOn(FaultRun run)
    {
        // Add a fault if at least half of it fits, so that long rounds take their share of the time on average.
        var elapsed = run.Load.Elapsed.TotalSeconds;
        var share = s_longLength / (settings.Variants.Count * settings.Presets.Count);
        return run.FaultsAt.Count < Faults
            || (settings.IsLong && elapsed + ((elapsed - run.FaultsAt[^1]) / 2) < share.TotalSeconds);
    }

    // Calibrated: with a delay in a grain that ended after nine tenths of its time, a round ended with exit code 1 and
    // "silo1 ended 17 waits, 0 reminders early"; with one that never ended, "silo2 lost 1 waits".
    private static IEnumerable<string> ErrorsOf(SiloProcess silo)
    {
        if (silo.Figures?.Waits is { Lost: > 0 } lost)
        {
            yield return $"{silo.Settings.Name} lost {lost.Lost} waits.";
        }

        if (silo.Settings.HasPlugin && silo.Figures?.Waits is { } waits && waits.Early + waits.EarlyReminders > 0)
        {
            yield return $"{silo.Settings.Name} ended {waits.Early} waits, {waits.EarlyReminders} reminders early.";
        }
    }

    /// <summary>Grains stay where they are activated, so the load waits until all silos can take some.</summary>
    private async Task WaitForSilosAsync(CancellationToken cancellationToken)
    {
        await using var database = NpgsqlDataSource.Create(postgres);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(s_patience);
        while ((await PostgresServer.ReadSilosAsync(database, SiloStatus.Active)).Count < SiloCluster.Size)
        {
            await Task.Delay(s_second / 4, patience.Token);
        }
    }

    /// <summary>A silo that was not part of the round reads what the database holds.</summary>
    private async Task<IReadOnlyList<string>> AuditAsync(
        SiloSettings silo, BankLoad load, CancellationToken cancellationToken)
    {
        var fresh = silo with { Cluster = "audit", Postgres = postgres };
        using var cluster = new SiloCluster(fresh, hasProxies: false);
        await using var ending = cancellationToken.Register(cluster.Kill);
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
            client.UseAdoNetClustering(
                options => (options.Invariant, options.ConnectionString) = (BankSilo.Invariant, silo.Postgres));
            client.Configure<GatewayOptions>(
                static options => options.GatewayListRefreshPeriod = TimeSpan.FromSeconds(5));
            if (recoversFast)
            {
                // Nothing tells a client that a call was lost with the silo that it was sent through.
                client.Configure<ClientMessagingOptions>(
                    static options => options.ResponseTimeout = TimeSpan.FromSeconds(5));
            }

            client.UseConnectionRetryFilter(static async (_, cancellation) =>
            {
                await Task.Delay(s_second, cancellation);
                return true;
            });
            if (hasPlugin)
            {
                client.AddScalableTimers().AddCallCancellation();
            }
        });
        var host = builder.Build();
        await host.StartAsync(cancellationToken);
        return host;
    }

    /// <summary>Prints one line per second, and marks when a silo is declared dead.</summary>
    private async Task WatchAsync(FaultRun run, CancellationToken cancellationToken)
    {
        await using var database = NpgsqlDataSource.Create(postgres);
        var dead = new HashSet<(string, int)>();
        var printed = 0;
        while (!cancellationToken.IsCancellationRequested)
        {
            foreach (var silo in await PostgresServer.ReadSilosAsync(database, SiloStatus.Dead))
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
