using ScalableTimers;
using TransactionsDemo.Probes;
using TransactionsDemo.Timers;

namespace TransactionsDemo.Bank;

/// <summary>A running bank. Disposing closes it.</summary>
internal interface IBank : IAsyncDisposable
{
    TimerTally Timers { get; }

    /// <summary>The durations of the phases of its transactions since <see cref="ClearPhases"/>.</summary>
    IReadOnlyList<OperationSummary> Phases { get; }

    /// <summary>Starts measuring the phases again.</summary>
    void ClearPhases();

    /// <summary>Makes a transfer, trying again where that may help.</summary>
    /// <returns>The certain outcome. If an answer was lost, the bank has looked the outcome up.</returns>
    Task<TransferResult> TransferAsync(Transfer transfer);

    /// <summary>What can be probed besides <see cref="MeasureDelaysAsync"/>, while the bank is loaded.</summary>
    IEnumerable<Probe> Probes { get; }

    /// <summary>How many timers of the engine's own transactions are pending; null if that cannot be had.</summary>
    long? CountEngineTimers();

    /// <summary>
    /// Kills a silo as the operating system would, so that none of its code runs any more. Only if the settings ask for
    /// it.
    /// </summary>
    SiloDeath KillSilo();

    /// <summary>
    /// Counts the money, while no transfer is in progress. Waits for the remaining work of finished transfers.
    /// </summary>
    Task<BankCount> CountAsync();

    /// <summary>Starts delays one right after the other, on one thread, and measures each.</summary>
    /// <returns>How long each has taken.</returns>
    Task<TimeSpan[]> MeasureDelaysAsync(TimeSpan[] dueTimes);
}
