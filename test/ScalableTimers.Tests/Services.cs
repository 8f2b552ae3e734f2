using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Driving;
using ScalableTimers.Queues;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

/// <summary>Services for tests, and access to their private state.</summary>
internal static partial class Services
{
    /// <summary>
    /// A service in virtual time that has a queue for each thread and fires on the pool, as with the system clock.
    /// </summary>
    internal static TimerService OnThePool(TimeProvider clock, TimerServiceOptions? options = null) =>
        new(options ?? LogsExceptions, clock, NullLogger.Instance, meterFactory: null, isOrdered: false);

    /// <summary>Options of a service that logs the exceptions of callbacks.</summary>
    internal static TimerServiceOptions LogsExceptions => new() { CallbackExceptions = CallbackExceptions.Log };

    /// <summary>A service on the system clock, with the given driver.</summary>
    internal static TimerService WithSystemClock(TimerServiceDriver driver = TimerServiceDriver.Thread) =>
        new(
            new TimerServiceOptions
            {
                Driver = driver,
                Resolution = TimeSpan.FromMilliseconds(1),
                CallbackExceptions = CallbackExceptions.Log,
            },
            logger: NullLogger<TimerService>.Instance);

    /// <summary>A host with nothing but logging and what is added to it.</summary>
    internal static IHost NewHost(Action<IServiceCollection> configure)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        configure(builder.Services.AddLogging());
        return builder.Build();
    }

    /// <summary>The calling thread's queue.</summary>
    internal static TimerQueue CurrentQueue(this TimerService service) => QueueRegistry.Current(Queues(service));

    internal static QueueRegistry Queues(TimerService service) => (QueueRegistry)Field(service, "_queues")!;

    /// <summary>A callback that notes the virtual time when it fires.</summary>
    internal static TimerCallback Note(this ManualTimeProvider clock, ConcurrentQueue<TimeSpan> fired) =>
        _ => fired.Enqueue(clock.Elapsed);

    /// <summary>
    /// Returns the result of a delay that has ended, or throws its exception. A cancelled delay ends on the pool.
    /// </summary>
    internal static void Read(this ValueTask delay)
    {
        Wait.Until(() => delay.IsCompleted, "the end of a delay");
        delay.GetAwaiter().GetResult();
    }

    /// <summary>The same, without an allocation.</summary>
    internal static bool Read(this ValueTask<bool> delay)
    {
        var spinner = default(SpinWait);
        for (var until = Environment.TickCount64 + 30_000; !delay.IsCompleted && Environment.TickCount64 < until;)
        {
            spinner.SpinOnce();
        }

        return delay.GetAwaiter().GetResult();
    }

    /// <summary>The thread that a service's driver has started; null if there is none.</summary>
    internal static Thread? DriverThread(TimerService service) =>
        service.Driver.Source is ThreadWakeSource source ? (Thread?)Field(source, "_thread") : null;
}
