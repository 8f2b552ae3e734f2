using Cluster.Silos;

namespace Cluster.Faults;

/// <summary>Something that goes wrong in a cluster under load.</summary>
/// <param name="Name">By which it is chosen.</param>
/// <param name="What">What is done.</param>
/// <param name="RunAsync">Does it. The argument tells when to go on.</param>
internal sealed record Scenario(string Name, string What, Func<FaultRun, Task> RunAsync)
{
    public static readonly IReadOnlyList<Scenario> All =
    [
        new("kill", "SIGKILL of one silo, then of the first one; each is started again after 20 s", static async run =>
        {
            await KillAsync(run, 1);
            await run.SettleAsync();
            if (!run.IsQuick)
            {
                await KillAsync(run, 0);
                await run.SettleAsync();
            }
        }),
        new("pause", "SIGSTOP of a silo for 8 s, then for 30 s", static async run =>
        {
            foreach (var seconds in run.IsQuick ? (int[])[8] : [8, 30])
            {
                run.Mark($"silo2 stands still for {seconds} s");
                run.Cluster[1].Pause();
                await WaitAsync(seconds);
                run.Cluster[1].Continue();
                run.Mark("silo2 goes on");
                await run.SettleAsync();

                // Declared dead meanwhile, it ends itself.
                if (!run.Cluster[1].IsAlive)
                {
                    run.Start(1);
                    await run.SettleAsync();
                }
            }
        }),
        new("starve", "The thread pool of one silo is blocked for 10 s", static async run =>
        {
            run.Mark("silo2 starves for 10 s");
            run.Cluster[1].Starve(10);
            await WaitAsync(10);
            await run.SettleAsync();
        }),
        new("database", "PostgreSQL is stopped for 15 s, then killed and started again", static async run =>
        {
            run.Mark("PostgreSQL is stopped for 15 s");
            await run.Server!.RunAsync("stop");
            await WaitAsync(15);
            await run.Server.RunAsync("start");
            await run.SettleAsync();
            run.Mark("PostgreSQL is killed");
            await run.Server.RunAsync("kill");
            await run.Server.RunAsync("start");
            await run.SettleAsync();
        }),
        new("slow", "Each statement takes 200 ms longer, for 20 s", static async run =>
        {
            run.Mark("PostgreSQL is slow for 20 s");
            run.Database!.Delay = TimeSpan.FromMilliseconds(200);
            await WaitAsync(20);
            run.Database.Delay = TimeSpan.Zero;
            await run.SettleAsync();
        }),
        new("partition", "Two silos cannot reach each other for 15 s", static async run =>
        {
            run.Mark("silo1 and silo2 cannot reach each other for 15 s");
            run.Cluster.ProxyOf(0).Hold(static source => source == 1);
            run.Cluster.ProxyOf(1).Hold(static source => source == 0);
            await WaitAsync(15);
            run.Cluster.ProxyOf(0).Hold(static _ => false);
            run.Cluster.ProxyOf(1).Hold(static _ => false);
            await run.SettleAsync();
            await run.ReviveAsync();
        }),
        new("upgrade", "Silos are replaced one by one: from Orleans alone to the plugin, and back", static async run =>
        {
            await UpgradeAsync(run, run.HasPlugin);
            if (!run.IsQuick)
            {
                await UpgradeAsync(run, hasPlugin: false);
            }
        }),
        new("mixed", "One silo has the plugin and two have not; nothing breaks", static run => run.SettleAsync()),
    ];

    /// <summary>Whether silos reach each other through proxies.</summary>
    public bool HasProxies => Name == "partition";

    /// <summary>Whether silos reach the database through a proxy.</summary>
    public bool HasDatabaseProxy => Name == "slow";

    /// <summary>Whether it stops the database, which must be its own then.</summary>
    public bool StopsDatabase => Name == "database";

    /// <summary>Whether a silo has the plugin when the scenario begins.</summary>
    public bool StartsWithPlugin(int silo) => Name switch
    {
        "upgrade" => false,
        "mixed" => silo == 0,
        _ => true,
    };

    private static Task WaitAsync(double seconds) => Task.Delay(TimeSpan.FromSeconds(seconds));

    private static async Task KillAsync(FaultRun run, int silo)
    {
        run.Mark($"silo{silo + 1} is killed");
        run.Cluster[silo].Kill();
        await WaitAsync(20);
        run.Start(silo);
    }

    private static async Task UpgradeAsync(FaultRun run, bool hasPlugin)
    {
        for (var silo = 0; silo < SiloCluster.Size; silo++)
        {
            run.Mark($"silo{silo + 1} is replaced");
            await run.Cluster[silo].StopAsync();
            run.Cluster.Start(silo, hasPlugin);
            await WaitAsync(run.IsQuick ? 10 : 15);
        }
    }
}
