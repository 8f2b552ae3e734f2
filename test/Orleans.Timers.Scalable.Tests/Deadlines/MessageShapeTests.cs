using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

public sealed class MessageShapeTests
{
    [Fact]
    public void TryFind_AnotherAssembly_SaysWhatDiffers()
    {
        Assert.False(MessageShape.TryFind(typeof(MessageShapeTests).Assembly, out var shape, out var difference));
        Assert.Null(shape);
        Assert.Equal("there is no Orleans.Runtime.GrainMethodInvoker", difference);
    }
}
