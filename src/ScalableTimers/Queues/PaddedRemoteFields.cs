using System.Runtime.CompilerServices;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Queues;

/// <summary>
/// The fields of a queue that other threads read when they cancel, on other cache lines than the fields that the owner
/// writes all the time.
/// </summary>
/// <remarks>A base class, because its fields come first in memory, regardless of their types.</remarks>
internal abstract class PaddedRemoteFields(QueueRegistry registry)
{
#pragma warning disable CS0169, IDE0051 // The field is never read. It takes up space.
    private readonly CacheLines _room;
#pragma warning restore CS0169, IDE0051

    /// <summary>The registry of the service's queues, or null once the service has been disposed.</summary>
    internal QueueRegistry? Registry { get; private protected set; } = registry;

    /// <summary>The service's clock.</summary>
    internal TickClock Clock { get; } = registry.Clock;

    /// <summary>The dispatcher that runs callbacks, including those of timers that outlive the service.</summary>
    internal FiringDispatcher Dispatcher { get; } = registry.Dispatcher;

    /// <summary>Whether all threads share the queue, which then keeps its timers in order.</summary>
    internal bool IsShared { get; } = registry.IsShared;

    /// <summary>
    /// Entries that other threads have cancelled and that are still linked. Kept after disposal, because an entry added
    /// while the service is being disposed must be counted too.
    /// </summary>
    protected RemoteCancels RemoteCancels { get; } = new();

    [InlineArray(16)]
    private struct CacheLines
    {
        private long _word;
    }
}
