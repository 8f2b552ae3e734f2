namespace Orleans.Timers.Scalable.Tests;

/// <summary>Accessors one of which throws once.</summary>
internal static class FaultyAccessors
{
    internal static StaticTimerManager Tamper(StaticTimerManager manager, string accessor, int calls)
    {
        return accessor switch
        {
            nameof(StaticTimerManager.Queues) =>
                manager with { Queues = () => Fault() ? throw Error() : manager.Queues() },
            nameof(StaticTimerManager.TryLock) =>
                manager with { TryLock = queue => Fault() ? throw Error() : manager.TryLock(queue) },
            nameof(StaticTimerManager.Detach) =>
                manager with { Detach = queue => Fault() ? throw Error() : manager.Detach(queue) },
            nameof(StaticTimerManager.TakeNext) =>
                manager with { TakeNext = timer => Fault() ? throw Error() : manager.TakeNext(timer) },
            nameof(StaticTimerManager.DueTime) =>
                manager with { DueTime = timer => Fault() ? throw Error() : manager.DueTime(timer) },
            nameof(StaticTimerManager.Token) =>
                manager with { Token = timer => Fault() ? throw Error() : manager.Token(timer) },
            _ =>
                throw new ArgumentOutOfRangeException(
                    nameof(accessor), accessor, "Not an accessor that is tampered with."),
        };

        // An exception that nothing else here throws.
        static InvalidTimeZoneException Error() => new("Thrown by an accessor, on purpose.");

        bool Fault() => --calls == 0;
    }
}
