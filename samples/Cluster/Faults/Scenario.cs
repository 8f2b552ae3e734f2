using Cluster.Silos;

namespace Cluster.Faults;

/// <summary>Something that goes wrong in a cluster under load.</summary>
/// <param name="Name">The name to choose it by.</param>
/// <param name="What">What it does.</param>
/// <param name="Faults">The faults, one after another. After each one, the cluster gets time to recover.</param>
internal sealed record Scenario(string Name, string What, params Func<FaultRun, Task>[] Faults)
{
    public static readonly IReadOnlyList<Scenario> All =
    [
        new("kill", "SIGKILL of one silo, then of another; each is started again after 20 s", KillAsync, KillAsync),
        new(
            "pause",
            "SIGSTOP of one silo for 8 s, then of another until it is declared dead: for 75 s, with fast recovery 30 s",
            static run => PauseAsync(run, 8),
            static run => PauseAsync(run, run.RecoversFast ? 30 : 75)),
        new("starve", "The thread pool of one silo is blocked for 10 s", static async run =>
        {
            run.Mark($"silo{run.Victim + 1} starves for 10 s");
            run.Cluster[run.Victim].Starve(10);
            await run.WaitAsync(10);
        }),
        new(
            "database",
            "PostgreSQL is stopped for 15 s, then killed and started again",
            static run => InterruptAsync(run, "stop", 15),
            static run => InterruptAsync(run, "kill", 0)),
        new("slow", "Each statement takes 200 ms longer, for 20 s", static async run =>
        {
            run.Mark("PostgreSQL is slow for 20 s");
            run.Database!.Delay = TimeSpan.FromMilliseconds(200);
            await run.WaitAsync(20);
            run.Database.Delay = TimeSpan.Zero;
        }),
        new("partition", "Two silos cannot reach each other for 15 s", static async run =>
        {
            run.Mark("silo1 and silo2 cannot reach each other for 15 s");
            run.Cluster.ProxyOf(0).Hold(static source => source == 1);
            run.Cluster.ProxyOf(1).Hold(static source => source == 0);
            await run.WaitAsync(15);
            run.Cluster.ProxyOf(0).Hold(static _ => false);
            run.Cluster.ProxyOf(1).Hold(static _ => false);
        }),
        new(
            "upgrade",
            "Silos are replaced one by one, and again: in rounds of the plugin from Orleans alone to it, and back",
            [.. Enumerable.Repeat(ReplaceAsync, 2 * SiloCluster.Size)]),
        new("mixed", "Nothing breaks; in rounds of the plugin one silo has it and two have not", static run =>
        {
            run.Mark("nothing breaks");
            return Task.CompletedTask;
        }),
    ];

    /// <summary>The seconds between two faults; null for as long as the preset needs to recover.</summary>
    public int? Settle => Name == "upgrade" ? 15 : null;

    /// <summary>Whether silos reach each other through proxies.</summary>
    public bool HasProxies => Name == "partition";

    /// <summary>Whether silos reach the database through a proxy.</summary>
    public bool HasDatabaseProxy => Name == "slow";

    /// <summary>Whether it stops the database, which must then be the demo's own.</summary>
    public bool StopsDatabase => Name == "database";

    /// <summary>Whether a silo has the plugin when the scenario begins.</summary>
    public bool StartsWithPlugin(int silo) => Name switch
    {
        "upgrade" => false,
        "mixed" => silo == 0,
        _ => true,
    };

    private static async Task KillAsync(FaultRun run)
    {
        var silo = run.Victim;
        run.Mark($"silo{silo + 1} is killed");
        run.Cluster[silo].Kill();
        await run.WaitAsync(20);
        run.Start(silo, run.HasPlugin);
    }

    private static async Task PauseAsync(FaultRun run, int seconds)
    {
        var silo = run.Victim;
        run.Mark($"silo{silo + 1} stands still for {seconds} s");
        run.Cluster[silo].Pause();
        await run.WaitAsync(seconds);
        run.Cluster[silo].Continue();
        run.Mark($"silo{silo + 1} goes on");
    }

    private static async Task InterruptAsync(FaultRun run, string how, int seconds)
    {
        run.Mark($"PostgreSQL: {how}");
        await run.Server!.RunAsync(how);
        await run.WaitAsync(seconds);
        await run.Server.RunAsync("start");
        run.Mark("PostgreSQL is started again");
    }

    private static async Task ReplaceAsync(FaultRun run)
    {
        var (upgrade, silo) = Math.DivRem(run.FaultsAt.Count - 1, SiloCluster.Size);
        run.Mark($"silo{silo + 1} is stopped");
        await run.Cluster[silo].StopAsync();
        run.Start(silo, run.HasPlugin && upgrade % 2 == 0);
    }
}
