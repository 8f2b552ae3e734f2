using Cluster.Load;
using Cluster.Silos;

namespace Cluster.Faults;

/// <summary>What a scenario works on.</summary>
/// <param name="Cluster">The silos.</param>
/// <param name="Load">What they serve meanwhile.</param>
/// <param name="HasPlugin">Whether the silos that a scenario starts again have the plugin.</param>
/// <param name="IsQuick">Whether it does only the first of several things.</param>
/// <param name="Settle">How long to wait for a cluster to recover.</param>
/// <param name="Server">The database server; null if it is not the demo's own.</param>
/// <param name="Database">The way to the database; null without a proxy.</param>
internal sealed record FaultRun(
    SiloCluster Cluster,
    BankLoad Load,
    bool HasPlugin,
    bool IsQuick,
    TimeSpan Settle,
    PostgresServer? Server,
    Proxy? Database)
{
    private readonly List<(double At, string What)> _marks = [];

    /// <summary>What was done, and after how many seconds of load.</summary>
    public IReadOnlyList<(double At, string What)> Marks
    {
        get
        {
            lock (_marks)
            {
                return [.. _marks];
            }
        }
    }

    public void Mark(string what)
    {
        lock (_marks)
        {
            _marks.Add((Load.Elapsed.TotalSeconds, what));
        }
    }

    public Task SettleAsync() => Task.Delay(Settle);

    public void Start(int silo)
    {
        Mark($"silo{silo + 1} is started again");
        Cluster.Start(silo, HasPlugin);
    }

    /// <summary>Starts silos again that have ended themselves.</summary>
    public async Task ReviveAsync()
    {
        for (var silo = 0; silo < SiloCluster.Size; silo++)
        {
            if (!Cluster[silo].IsAlive)
            {
                Start(silo);
                await SettleAsync();
            }
        }
    }
}
