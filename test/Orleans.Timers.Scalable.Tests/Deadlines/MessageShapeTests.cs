using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

public sealed class MessageShapeTests
{
    [Fact]
    public void FindTimeToLive_AnotherAssembly_SaysWhatDiffers()
    {
        Assert.Null(MessageShape.FindTimeToLive(typeof(MessageShapeTests).Assembly, out var difference));
        Assert.Equal("there is no Orleans.Runtime.GrainMethodInvoker", difference);
    }
}
