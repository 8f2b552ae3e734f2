using TransactionsDemo.Bank;

namespace TransactionsDemo.OnOrleans;

/// <summary>A <see cref="Transfer"/> on its way between silos.</summary>
[GenerateSerializer]
[Immutable]
internal struct TransferSurrogate
{
    [Id(0)]
    public long Id;

    [Id(1)]
    public int Teller;

    [Id(2)]
    public int From;

    [Id(3)]
    public int To;

    [Id(4)]
    public long Amount;

    [Id(5)]
    public TimeSpan Deliberation;

    [Id(6)]
    public bool IsRefused;

    [Id(7)]
    public TransferPhase? LostAnswer;

    [Id(8)]
    public bool IgnoresLockOrder;
}
