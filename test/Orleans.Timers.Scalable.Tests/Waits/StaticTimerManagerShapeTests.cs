using Orleans.Timers.Scalable.Transactions.Waits;

namespace Orleans.Timers.Scalable.Tests;

[Collection(typeof(Alone))]
public sealed class StaticTimerManagerShapeTests
{
    private const string Namespace = "Orleans.Timers.Internal.";

    [Theory]
    [InlineData("TimerManager", null, "there is no Orleans.Timers.Internal.TimerManager")]
    [InlineData("TimerManager", typeof(Uri), "has no nested type DelayTimer")]
    [InlineData("TimerManager`1", null, "there is no Orleans.Timers.Internal.TimerManager`1")]
    [InlineData("TimerManager`1", typeof(List<>), "has no nested type ThreadLocalQueue")]
    [InlineData("TimerManager`1", typeof(Dictionary<,>), "does not accept the type argument")]
    [InlineData("TimerManager`1", typeof(UnknownManagers.WithAField<>), "has an unknown field count")]
    [InlineData("ITimerCallback", null, "there is no Orleans.Timers.Internal.ITimerCallback")]
    [InlineData("ITimerCallback", typeof(IDisposable), "does not implement System.IDisposable")]
    [InlineData("ILinkedListElement`1", null, "there is no Orleans.Timers.Internal.ILinkedListElement`1")]
    [InlineData(
        "ILinkedListElement`1",
        typeof(IEnumerable<>),
        "does not implement System.Collections.Generic.IEnumerable`1")]
    [InlineData("ILinkedListElement`1", typeof(IDisposable), "System.IDisposable does not accept the type argument")]
    public void Read_AnythingDiffers_SaysWhat(string name, Type? other, string difference)
    {
        var error = Assert.Throws<MissingMemberException>(() =>
            StaticTimerManagerShape.Read(
                asked => asked == Namespace + name ? other : typeof(BatchWorker).Assembly.GetType(asked)));

        Assert.Contains(difference, error.Message, StringComparison.Ordinal);
    }
}

// Only reflection reads these fields, and it uses Orleans' names.
#pragma warning disable CS0169, CS0649, CA1823, IDE0051, IDE0052, IDE0044, IDE1006

/// <summary>A possible static timer manager of another version of Orleans.</summary>
internal static class UnknownManagers
{
    internal static class WithAField<T>
    {
        private static readonly object AllQueuesLock = new();
        private static readonly Timer? QueueChecker;
        private static readonly object[]? allQueues;
        private static readonly object? threadLocalQueue;
        private static readonly int count;

        private sealed class ThreadLocalQueue;
    }
}
