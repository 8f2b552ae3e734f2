namespace TransactionsDemo.Bank;

/// <summary>What an account stores.</summary>
[GenerateSerializer]
internal sealed class AccountState
{
    public const long OpeningBalance = 10_000;

    [Id(0)]
    public long Balance { get; set; } = OpeningBalance;
}
