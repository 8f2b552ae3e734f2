namespace Cluster.Bank;

/// <summary>What an account stores: its money, and the number of each transfer that changed it.</summary>
[GenerateSerializer]
internal sealed class AccountState
{
    public const long OpeningBalance = 10_000;

    [Id(0)]
    public long Balance { get; set; } = OpeningBalance;

    [Id(1)]
    public List<int> Transfers { get; set; } = [];
}
