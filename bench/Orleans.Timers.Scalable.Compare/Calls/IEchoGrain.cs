namespace Orleans.Timers.Scalable.Compare;

public interface IEchoGrain : IGrainWithIntegerKey
{
    ValueTask<int> Echo(int value);
}
