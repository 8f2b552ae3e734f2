namespace TransactionsDemo.Bank;

/// <summary>The settings of a bank.</summary>
internal sealed record BankSettings
{
    public const long OpeningBalance = 10_000;

    /// <summary>How long an operation that may succeed later is tried again before the bank is given up.</summary>
    public TimeSpan Patience => TimeSpan.FromSeconds(KillAfter is null ? 30 : 150);

    /// <summary>Numbered from 0.</summary>
    public required int Accounts { get; init; }

    /// <summary>Numbered from 0. Each makes one transfer at a time.</summary>
    public required int Tellers { get; init; }

    public required int Silos { get; init; }

    public required int Seed { get; init; }

    /// <summary>For a bank on Orleans.</summary>
    public TransactionOptionsKind TransactionOptions { get; init; }

    /// <summary>For a bank on Orleans.</summary>
    public StorageKind Storage { get; init; }

    /// <summary>
    /// The folder of <see cref="StorageKind.Files"/>, or the connection string for <see cref="StorageKind.Postgres"/>.
    /// </summary>
    public string? StorageLocation { get; init; }

    /// <summary>How long a silo waits for the answer to a probe of another; null is Orleans' default.</summary>
    public TimeSpan? ProbeTimeout { get; init; }

    /// <summary>The time after the start of the load at which the last silo is killed; null means never.</summary>
    public TimeSpan? KillAfter { get; init; }

    /// <summary>
    /// Whether a bank on Orleans measures the phases of its transactions, with the plugin of this project.
    /// </summary>
    public bool MeasuresPhases { get; init; } = true;

    /// <summary>
    /// Whether Orleans' own timers are served by those of this project; null is what a silo does by itself.
    /// </summary>
    public bool? ServesStaticTimers { get; init; }
}
