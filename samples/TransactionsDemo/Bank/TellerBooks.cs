namespace TransactionsDemo.Bank;

/// <summary>What a teller stores.</summary>
[GenerateSerializer]
internal sealed class TellerBooks
{
    [Id(0)]
    public long Transfers { get; set; }
}
