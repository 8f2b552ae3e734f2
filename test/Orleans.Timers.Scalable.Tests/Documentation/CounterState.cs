namespace Orleans.Timers.Scalable.Tests.Documentation;

[GenerateSerializer]
public sealed class CounterState
{
    [Id(0)]
    public int Value { get; set; }
}
