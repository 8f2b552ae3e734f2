namespace TransactionsDemo.OnOrleans;

/// <summary>The stored state of an account.</summary>
[GenerateSerializer]
internal sealed class AccountState
{
    [Id(0)]
    public long Balance { get; set; }
}
