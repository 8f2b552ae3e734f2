using TransactionsDemo.Bank;

namespace TransactionsDemo.OnOrleans;

/// <summary>A <see cref="TransferResult"/> on its way between silos.</summary>
[GenerateSerializer]
[Immutable]
internal struct TransferResultSurrogate
{
    [Id(0)]
    public TransferOutcome Outcome;

    [Id(1)]
    public int Retries;

    [Id(2)]
    public bool WasInDoubt;
}
