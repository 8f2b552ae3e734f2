using System.Reflection;
using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>
/// Runs banks on Orleans: accounts and tellers are grains in real silos, which talk to each other over sockets.
/// </summary>
internal sealed class OrleansEngine : IBankEngine
{
    public const string StorageName = "bank";

    private static readonly string? s_version = typeof(IGrain).Assembly
        .GetCustomAttribute<AssemblyInformationalVersionAttribute>()?
        .InformationalVersion.Split('+', ' ')[0].TrimEnd('.');

    public string Name => "orleans";

    public bool HasSilos => true;

    public int DefaultAccounts => 500;

    public int DefaultConcurrency => 50;

    public IReadOnlyList<TimerKind> TimerKinds { get; } = [TimerKind.System, TimerKind.Stock, TimerKind.Scalable];

    public string Describe(BankSettings settings)
    {
        var processes = settings.KillAfter is null ? "in this process" : "in a process each";
        var storage = settings.Storage switch
        {
            StorageKind.Memory => "memory storage",
            StorageKind.Files => "files that outlive a silo",
            _ => "PostgreSQL",
        };
        return $"{settings.Silos} silos of Orleans {s_version} {processes}, connected by sockets, with {storage}";
    }

    public async Task<IBank> OpenAsync(TimerKind timers, BankSettings settings)
    {
#if ORLEANS_ADONET
        if (settings.Storage == StorageKind.Postgres)
        {
            await PostgresStorage.PrepareAsync(settings.StorageLocation!);
        }
#endif
        var folder = settings.Storage == StorageKind.Files
            ? Directory.CreateTempSubdirectory("transactions-demo-")
            : null;
        var tally = new TimerTally();
        var cluster = await BankCluster.StartAsync(
            timers, folder is null ? settings : settings with { StorageLocation = folder.FullName }, tally);
        var bank = new OrleansBank(cluster, folder, tally, settings);
        await bank.OpenAccountsAsync();
        return bank;
    }
}
