using TransactionsDemo.Bank;
using TransactionsDemo.Timers;

namespace TransactionsDemo.OnOrleans;

/// <summary>The settings of a silo of a bank. They can be passed to another process.</summary>
internal sealed record SiloSettings
{
    public required TimerKind Timers { get; init; }

    public required BankSettings Bank { get; init; }

    /// <summary>Keeps the clusters of one machine, and what they store, apart.</summary>
    public required string ClusterId { get; init; }

    /// <summary>Where other silos find it.</summary>
    public required int SiloPort { get; init; }

    /// <summary>Where clients find it.</summary>
    public required int GatewayPort { get; init; }

    /// <summary>The silo port of the cluster's first silo, which keeps the list of the others.</summary>
    public required int PrimaryPort { get; init; }
}
