namespace Orleans.Timers.Scalable.CallCosts;

public interface IEchoGrain : IGrainWithIntegerKey
{
    ValueTask<int> Echo(int value);
}
