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

    /// <summary>The registry of the service's queues.</summary>
    internal QueueRegistry Registry { get; } = registry;

    /// <summary>The service's clock.</summary>
    internal TickClock Clock { get; } = registry.Clock;

    /// <summary>The dispatcher that runs callbacks.</summary>
    internal FiringDispatcher Dispatcher { get; } = registry.Dispatcher;

    /// <summary>Whether all threads share the queue, which then keeps its timers in order.</summary>
    internal bool IsOrdered { get; } = registry.IsOrdered;

    /// <summary>Entries that other threads have cancelled and that are still linked.</summary>
    internal RemoteCancels RemoteCancels { get; } = new();

    /// <summary>The idle entries of callbacks, which the owner uses.</summary>
    internal CancelledCallbacks Callbacks { get; private protected init; } = null!;

    [InlineArray(16)]
    private struct CacheLines
    {
        private long _word;
    }
}
