using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Queues;

/// <summary>
/// What stays in memory after services are disposed or dropped, and after threads end.
/// </summary>
[Collection(nameof(Alone))]
public class KeptMemoryTests
{
    private const int Count = 1_000;

    private static readonly TimerCallback s_ignore = static _ => { };
    private static readonly TimeSpan s_hour = TimeSpan.FromHours(1);

    // Kept: the token's source with its dictionary (a lock for each processor), its entry, the entry's queue with its
    // wheel, and the driver. Seen to fail with a dispatcher that refers to its service: none was collected.
    [Fact]
    public void Dispose_ATokenIsPending_KeepsItsQueueAndTheDriver()
    {
        var clock = new ManualTimeProvider();
        _ = MakeAndDispose(clock);
        var before = UsedMemory();

        var made = Enumerable.Range(0, Count).Select(_ => MakeAndDispose(clock)).ToList();

        Wait.ForCollection([.. made.Select(static one => one.Service)]);
        var kept = (UsedMemory() - before) / Count;
        Assert.InRange(kept, long.MinValue, 12_288 + (64 * Environment.ProcessorCount));
        Assert.DoesNotContain(made, static one => one.Token.IsCancellationRequested);
        clock.Advance(s_hour + TimeSpan.FromSeconds(1));
        Wait.Until(() => made.TrueForAll(static one => one.Token.IsCancellationRequested), "the tokens");
    }

    // Seen to fail when a service that has been disposed with its container still had the logger.
    [Fact]
    public void Dispose_OfAContainer_LeavesNoLoggerToTheThreadsThatUsedIt() => Wait.ForThread(static () =>
    {
        var logger = Services.InAFrameOfItsOwn(static () =>
        {
            var factory = new FakeLoggerProvider();
            using var container = new ServiceCollection()
                .AddLogging(logging => logging.AddProvider(factory))
                .AddScalableTimers()
                .BuildServiceProvider();
            container.GetRequiredService<TimerService>().Schedule(s_ignore, null, s_hour);
            return new WeakReference(factory);
        });

        Wait.ForCollection(logger);
    });

    // A logger may outlive its container. Seen to fail when the service forgot it altogether.
    [Fact]
    public void Dispose_OfAContainerWhoseLoggerIsKept_WhatOutlivesItStillLogs()
    {
        var (clock, logger) = (new ManualTimeProvider(), new FakeLogger<TimerService>());
        using (var container = new ServiceCollection()
            .AddSingleton<TimeProvider>(clock)
            .AddSingleton<ILogger<TimerService>>(logger)
            .AddScalableTimers()
            .BuildServiceProvider())
        {
            _ = container.GetRequiredService<TimerService>().TimeProvider.CreateTimer(
                static _ => throw new IOException("Thrown by the callback."), null, s_hour, Timeout.InfiniteTimeSpan);
        }

        Services.CollectGarbage();
        clock.Advance(s_hour);

        Assert.Contains(logger.Collector.GetSnapshot(), static entry => entry.Exception is IOException);
    }

    // A thread keeps its last queue. Seen to fail with strong references in QueueRegistry.s_all: all stayed.
    [Fact]
    public void Drop_OfAThousandServicesWithoutDispose_LeavesTheLastAtMost() => Wait.ForThread(static () =>
    {
        var dropped = Enumerable.Range(0, Count).Select(static _ => MakeAndDrop()).ToList();

        Services.CollectGarbage();

        Assert.InRange(dropped.Count(static one => one.IsAlive), 0, 2);
    });

    // Seen to fail without trimming in QueueRegistry.FindEndedThreads, and without looking after a pause: 8 KB a
    // thread.
    [Fact]
    public void Join_AMinuteAfterTwoThousandThreadsHaveEnded_TheirQueuesAreTrimmedAndTheirTimersFire()
    {
        const int Threads = 2_000;
        const int Pending = 50;
        var clock = new HandClock();
        using var service = Services.OnThePool(clock);
        using var fired = new CountdownEvent(Pending);
        service.Schedule(s_ignore, null, s_hour).Cancel();
        var before = UsedMemory();

        UseOnThreadsAliveAtOnce(Threads, number =>
        {
            var timer = service.Schedule(_ => fired.Signal(), null, s_hour);
            if (number >= Pending)
            {
                timer.Cancel();
            }
        });
        clock.Skip(TimeSpan.FromMinutes(2));
        Wait.ForThread(() => service.Schedule(s_ignore, null, s_hour).Cancel());

        var kept = (UsedMemory() - before) / Threads;
        Assert.InRange(kept, long.MinValue, 3_072);
        Assert.InRange(service.GetSnapshot().Queues, Threads, Threads + 2);
        Assert.Equal(Pending, service.GetSnapshot().Pending);

        clock.SkipAndRing(s_hour);
        Wait.For(fired, "the timers of threads that have ended");

        // Seen to fail without looking while ended threads are known: 50 wheels more stayed for good.
        clock.Skip(TimeSpan.FromMinutes(2));
        Wait.ForThread(() => service.Schedule(s_ignore, null, s_hour).Cancel());
        var wheels = Services.Queues(service).All.Count(static queue => Services.Field(queue, "_wheel") is not null);
        Assert.InRange(wheels, 0, 3);
    }

    /// <summary>
    /// The bytes of objects in use. Garbage of earlier tests may still be collected, so a difference may be negative.
    /// </summary>
    private static long UsedMemory()
    {
        Services.CollectGarbage();
        return GC.GetTotalMemory(forceFullCollection: true);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (WeakReference Service, CancellationToken Token) MakeAndDispose(TimeProvider clock)
    {
        using var service = Services.OnThePool(clock);
        return (new WeakReference(service), service.GetTimeoutToken(s_hour));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference MakeAndDrop()
    {
        var service = new TimerService(new(), clock: new ManualTimeProvider());
        service.Schedule(s_ignore, null, s_hour);
        return new WeakReference(Services.Queues(service));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UseOnThreadsAliveAtOnce(int count, Action<int> use)
    {
        using var ready = new CountdownEvent(count);
        using var end = new ManualResetEventSlim();
        var threads = Enumerable.Range(0, count).Select(number => new TestThread(() =>
        {
            use(number);
            ready.Signal();
            Wait.For(end, "the end of all");
        })).ToList();
        threads.ForEach(static thread => thread.Start());
        Wait.For(ready, "a timer of each thread");
        end.Set();
        threads.ForEach(Wait.ForEnd);
    }
}
