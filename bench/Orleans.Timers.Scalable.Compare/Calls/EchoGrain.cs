namespace Orleans.Timers.Scalable.Compare;

internal sealed class EchoGrain : Grain, IEchoGrain
{
    public ValueTask<int> Echo(int value) => new(value);
}
