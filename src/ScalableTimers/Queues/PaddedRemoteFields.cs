using System.Runtime.CompilerServices;
using ScalableTimers.Clock;
using ScalableTimers.Firing;

namespace ScalableTimers.Queues;

/// <summary>
/// The fields of a queue that other threads read when they cancel. They are on other cache lines than the fields
/// that the owner writes all the time.
/// </summary>
/// <remarks>A base class, because the fields of a base class come first in memory, whatever their types.</remarks>
internal abstract class PaddedRemoteFields(QueueRegistry registry)
{
#pragma warning disable CS0169, IDE0051 // The field is never read. It takes up space.
    private readonly CacheLines _room;
#pragma warning restore CS0169, IDE0051

    /// <summary>
    /// The queues of the service, this one among them, or null once the service has been disposed.
    /// </summary>
    internal QueueRegistry? Registry { get; private protected set; } = registry;

    /// <summary>The service's clock.</summary>
    internal TickClock Clock { get; } = registry.Clock;

    /// <summary>
    /// The dispatcher that runs callbacks, also those of timers that outlive the service.
    /// </summary>
    internal FiringDispatcher Dispatcher { get; } = registry.Dispatcher;

    /// <summary>Whether all threads schedule into the queue. Then its timers keep an order.</summary>
    internal bool IsShared { get; } = registry.IsShared;

    /// <summary>Entries that other threads have cancelled and that are still linked.</summary>
    protected RemoteCancels RemoteCancels { get; } = new();

    [InlineArray(16)]
    private struct CacheLines
    {
        private long _word;
    }
}
