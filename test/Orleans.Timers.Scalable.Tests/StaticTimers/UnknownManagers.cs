// Only reflection reads these fields, and it uses Orleans' names.
#pragma warning disable CS0169, CS0649, CA1823, IDE0051, IDE0052, IDE0044, IDE1006

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Possible static timer managers of other versions of Orleans.</summary>
internal static class UnknownManagers
{
    internal static class WithOtherFields<T>
    {
        private static readonly object Gate = new();

        private sealed class ThreadLocalQueue;
    }

    internal static class WithAField<T>
    {
        private static readonly object AllQueuesLock = new();
        private static readonly Timer? QueueChecker;
        private static readonly object[]? allQueues;
        private static readonly object? threadLocalQueue;
        private static readonly int count;

        private sealed class ThreadLocalQueue;
    }

    internal static class WithOtherQueues<T>
    {
        private static readonly object AllQueuesLock = new();
        private static readonly Timer? QueueChecker;
        private static readonly object[]? allQueues;
        private static readonly object? threadLocalQueue;

        private sealed class ThreadLocalQueue;
    }

    internal static class WithoutAPeriod<T>
    {
        private static readonly object AllQueuesLock = new();
        private static readonly Timer? QueueChecker;
        private static readonly object[]? allQueues;
        private static readonly object? threadLocalQueue;

        private sealed class ThreadLocalQueue
        {
            public object? Lock;
            public int StarvationCount;

            public T? Head { get; set; }

            public T? Tail { get; set; }
        }
    }
}
