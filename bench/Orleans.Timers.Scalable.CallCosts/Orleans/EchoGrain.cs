namespace Orleans.Timers.Scalable.CallCosts;

internal sealed class EchoGrain : Grain, IEchoGrain
{
    public ValueTask<int> Echo(int value) => new(value);
}
