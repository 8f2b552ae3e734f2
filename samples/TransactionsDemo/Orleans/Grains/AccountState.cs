namespace TransactionsDemo.OnOrleans;

/// <summary>What is stored of an account.</summary>
[GenerateSerializer]
internal sealed class AccountState
{
    [Id(0)]
    public long Balance { get; set; }
}
