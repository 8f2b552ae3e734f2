using ScalableTimers.Tests.Clock;
using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Driving;
using ScalableTimers.Queues;

namespace ScalableTimers.Tests;

/// <summary>Services for tests, and access to their private state.</summary>
internal static class Services
{
    /// <summary>
    /// A service in virtual time that has a queue for each thread and fires on the pool, as with the system clock.
    /// </summary>
    internal static TimerService OnThePool(TimeProvider clock, ScalableTimerOptions? options = null) =>
        new(options, clock, NullLogger.Instance, meterFactory: null, firesInOrder: false);

    /// <summary>A service with the system clock whose driver is or is not a thread.</summary>
    internal static TimerService WithSystemClock(
        TimerDriverKind driver = TimerDriverKind.Thread, bool firesOnDriverThread = false) =>
        new(
            new ScalableTimerOptions
            {
                Driver = driver,
                Resolution = TimeSpan.FromMilliseconds(1),
                CallbackThread = firesOnDriverThread ? CallbackThread.DriverThread : CallbackThread.ThreadPool,
            },
            logger: NullLogger<TimerService>.Instance);

    /// <summary>The calling thread's queue.</summary>
    internal static TimerQueue CurrentQueue(this TimerService service) => QueueRegistry.Current(Queues(service));

    internal static QueueRegistry Queues(TimerService service) => (QueueRegistry)Field(service, "_queues")!;

    /// <summary>A callback that notes how much virtual time has passed when it fires.</summary>
    internal static TimerCallback Note(this ManualTimeProvider clock, ConcurrentQueue<TimeSpan> fired) =>
        _ => fired.Enqueue(clock.Elapsed);

    /// <summary>Reads a delay, which must have ended. Returns its result or throws its exception.</summary>
    internal static void Read(this ValueTask delay) => delay.GetAwaiter().GetResult();

    /// <inheritdoc cref="Read(ValueTask)"/>
    internal static bool Read(this ValueTask<bool> delay) => delay.GetAwaiter().GetResult();

    internal static object? Field(object of, string name) => FieldOf(of.GetType(), name).GetValue(of);

    internal static object? StaticField(Type of, string name) => FieldOf(of, name).GetValue(null);

    /// <summary>The thread that a service's driver has started; null if there is none.</summary>
    internal static Thread? DriverThread(TimerService service) =>
        Field(service.Driver, "_source") is ThreadWakeSource source ? (Thread?)Field(source, "_thread") : null;

    /// <summary>Runs a function that must leave no reference behind on the caller's stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static T InAFrameOfItsOwn<T>(Func<T> function) => function();

    internal static void CollectGarbage()
    {
        for (var i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    private static FieldInfo FieldOf(Type type, string name)
    {
        const BindingFlags Any =
            BindingFlags.Instance | BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public;
        for (var at = type; at is not null; at = at.BaseType)
        {
            if (at.GetField(name, Any) is { } field)
            {
                return field;
            }
        }

        throw new MissingFieldException(type.Name, name);
    }
}
