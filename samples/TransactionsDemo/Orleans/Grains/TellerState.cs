namespace TransactionsDemo.OnOrleans;

/// <summary>
/// The books of a teller. They are part of every transfer's transaction, so they tell for certain whether it has been
/// committed.
/// </summary>
[GenerateSerializer]
internal sealed class TellerState
{
    [Id(0)]
    public long LastCommitted { get; set; } = -1;

    [Id(1)]
    public long Committed { get; set; }
}
