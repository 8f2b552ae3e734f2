namespace Orleans.Timers.Scalable.Tests;

[GenerateSerializer]
public sealed class AccountState
{
    [Id(0)]
    public int Balance { get; set; }
}
