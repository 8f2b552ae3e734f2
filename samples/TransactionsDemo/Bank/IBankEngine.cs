using TransactionsDemo.Timers;

namespace TransactionsDemo.Bank;

/// <summary>A way to run a bank.</summary>
internal interface IBankEngine
{
    string Name { get; }

    /// <summary>Whether its banks are silos of Orleans.</summary>
    bool HasSilos { get; }

    /// <summary>What it runs on, for the reader of its figures.</summary>
    string Describe(BankSettings settings);

    /// <summary>
    /// How many accounts its banks have unless asked for another number: enough to work with, few enough to count.
    /// </summary>
    int DefaultAccounts { get; }

    /// <summary>
    /// How many transfers are in progress unless asked for another number: enough to keep the processors busy.
    /// </summary>
    int DefaultConcurrency { get; }

    /// <summary>The kinds of timers it can run on.</summary>
    IReadOnlyList<TimerKind> TimerKinds { get; }

    /// <summary>Opens a new bank: every account holds the opening balance, nothing is in progress.</summary>
    Task<IBank> OpenAsync(TimerKind timers, BankSettings settings);
}
