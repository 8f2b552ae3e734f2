using TransactionsDemo.Bank;

namespace TransactionsDemo.OnOrleans;

/// <summary>A teller, who makes one transfer at a time.</summary>
internal interface ITellerGrain : IGrainWithIntegerKey
{
    Task<TransferResult> TransferAsync(Transfer transfer);

    /// <summary>Whether the latest transfer has been committed. Waits while it is in progress.</summary>
    Task<bool> HasCommittedAsync(long transfer);

    /// <summary>How many transfers have been committed.</summary>
    Task<long> CountCommittedAsync();
}
