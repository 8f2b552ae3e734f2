using Orleans.Timers.Scalable.Messaging;

namespace Orleans.Timers.Scalable.Tests;

public sealed class ShortestTimeoutTests
{
    private static readonly TimeSpan s_responseTimeout = TimeSpan.FromSeconds(30);

    private interface IWithout
    {
        Task One();
    }

    private interface IWith<T> : IWithout
    {
        [ResponseTimeout("00:00:05")]
        Task<T> Two();
    }

    private interface IHeir : IWith<int>
    {
        [ResponseTimeout("00:00:20")]
        Task Three();
    }

    private interface ILonger
    {
        [ResponseTimeout("01:00:00")]
        Task Four();
    }

    [Theory]
    [InlineData(typeof(IWithout), 30)]
    [InlineData(typeof(ILonger), 30)]
    [InlineData(typeof(IWith<>), 5)]
    [InlineData(typeof(IHeir), 5)]
    public void Of_Interface_IsTheShortestOfItsMethodsAndTheOption(Type type, int seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), ShortestTimeout.Of([type], s_responseTimeout));
}
