using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

// The core must not use these types, because the engine could not see them. So code that names one does not compile. To
// use one, write a shadow for it first.
internal static class Refused
{
    internal const string Why =
        "The explorer of interleavings has no shadow for this. Use another primitive, or add a shadow in "
        + "test/ScalableTimers.Exploration/Shadows.";
}

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class Monitor;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class ManualResetEvent;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class ManualResetEventSlim;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class EventWaitHandle;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class Semaphore;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class SemaphoreSlim;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class Mutex;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class SpinLock;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class Barrier;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class CountdownEvent;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class ReaderWriterLock;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class ReaderWriterLockSlim;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class Timer;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class PeriodicTimer;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class LazyInitializer;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class ConcurrentStack<T>;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class ConcurrentBag<T>;

[Shadow]
[Obsolete(Refused.Why, error: true)]
internal static class BlockingCollection<T>;
