using ScalableTimers;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Bank;

/// <summary>A running bank. Disposing closes it.</summary>
internal interface IBank : IAsyncDisposable
{
    TimerTally Timers { get; }

    /// <summary>What the phases of its transactions have taken since <see cref="ClearPhases"/>.</summary>
    IReadOnlyList<OperationSummary> Phases { get; }

    /// <summary>Measures them anew.</summary>
    void ClearPhases();

    /// <summary>Makes a transfer, trying again where that may help.</summary>
    /// <returns>What has become of it, for certain: where an answer was lost, the bank has looked it up.</returns>
    Task<TransferResult> TransferAsync(Transfer transfer);

    /// <summary>Watches the timers that the engine's own transactions use, while a bank is loaded for a time.</summary>
    Task<EngineTimerCounts> WatchEngineTimersAsync(TimeSpan duration);

    /// <summary>
    /// Kills a silo as the operating system would: nothing of it runs any more. Only where the settings ask for it.
    /// </summary>
    SiloDeath KillSilo();

    /// <summary>
    /// Counts the money, while no transfer is in progress. Waits for what finished transfers have left to do.
    /// </summary>
    Task<BankCount> CountAsync();

    /// <summary>Starts delays one right after the other, on one thread, and measures each.</summary>
    /// <returns>How long each has taken.</returns>
    Task<TimeSpan[]> MeasureDelaysAsync(TimeSpan[] dueTimes);
}
