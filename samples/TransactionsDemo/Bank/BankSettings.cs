namespace TransactionsDemo.Bank;

/// <summary>What a bank is like.</summary>
internal sealed record BankSettings
{
    public const long OpeningBalance = 10_000;

    /// <summary>Numbered from 0.</summary>
    public required int Accounts { get; init; }

    /// <summary>Numbered from 0. Each makes one transfer at a time.</summary>
    public required int Tellers { get; init; }

    public required int Silos { get; init; }

    public required int Seed { get; init; }

    /// <summary>For a bank on Orleans.</summary>
    public TransactionOptionsKind TransactionOptions { get; init; }

    /// <summary>Whether Orleans' own timers are served by those of this project; null is what a silo does by itself.</summary>
    public bool? AdoptsOrleansTimers { get; init; }
}
