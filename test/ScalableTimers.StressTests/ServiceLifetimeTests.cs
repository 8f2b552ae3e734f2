using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using ScalableTimers.StressTests.Recording;

namespace ScalableTimers.StressTests;

/// <summary>A thousand services, several at once, created, used and disposed by the same threads.</summary>
[Trait("Category", "Stress")]
public class ServiceLifetimeTests
{
    private const string Phase = "lifetimes";
    private const int Threads = 3;
    private const int AliveAtOnce = 6;
    private const int TimersPerService = 20;

    /// <summary>A few services may stay alive: those that a thread used last or is about to end.</summary>
    private const int MostLeftAlive = 20;

    [Fact]
    public void CreateAndDispose_ThousandTimes_LeavesNoTimerNoThreadAndNoServiceBehind()
    {
        var threadsBefore = CountThreads();
        var services = new ConcurrentQueue<WeakReference>();
        UseAndDispose(services);
        Stress.WaitUntil(
            Phase,
            () =>
            {
                GC.Collect();
                return services.Count(static service => service.IsAlive) <= MostLeftAlive;
            },
            () =>
                $"{services.Count(static service => service.IsAlive)} of {services.Count} disposed services are still "
                + "alive.");

        // The pool may have grown meanwhile.
        var mostThreads = threadsBefore + 50;
        Stress.WaitUntil(
            Phase,
            () => CountThreads() <= mostThreads,
            () => $"{threadsBefore} threads before, {CountThreads()} afterwards.");
        Stress.Log(
            $"{services.Count:N0} services, {services.Count(static service => service.IsAlive)} not yet collected");
    }

    private static int CountThreads()
    {
        using var process = Process.GetCurrentProcess();
        return process.Threads.Count;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void UseAndDispose(ConcurrentQueue<WeakReference> services)
    {
        var perThread = (Stress.Choose(1_000, 20_000) / Threads) + 1;
        var alive = new ConcurrentQueue<(TimerService Service, Ledger Ledger)>();
        var ended = new ConcurrentQueue<(TimerService Service, Ledger Ledger)>();
        StressThreads.Run(Phase, Threads, thread =>
        {
            var random = Stress.NewRandom(thread);
            for (var i = 0; i < perThread; i++)
            {
                var driver = (DriverChoice)random.Next(3);
                var created = (
                    Service: Stress.NewService(driver), Ledger: new Ledger($"{Phase}, service {i} of thread {thread}"));
                services.Enqueue(new WeakReference(created.Service));
                Use(created.Service, created.Ledger, random);
                if (alive.TryPeek(out var other))
                {
                    Use(other.Service, other.Ledger, random);
                }

                alive.Enqueue(created);
                while (alive.Count > AliveAtOnce && alive.TryDequeue(out var oldest))
                {
                    End(oldest.Service);
                    ended.Enqueue(oldest);
                }
            }
        });
        while (alive.TryDequeue(out var left))
        {
            End(left.Service);
            ended.Enqueue(left);
        }

        // The check must not come earlier. A thread may have been scheduling on a service that another thread had
        // disposed, or cancelling, which is counted a moment after it takes effect.
        foreach (var (service, ledger) in ended)
        {
            ledger.Verify(mayBeOpen: true).AssertAgrees(service.GetSnapshot());
        }
    }

    private static void Use(TimerService service, Ledger ledger, Random random)
    {
        var part = ledger.NewPart();
        try
        {
            for (var i = 0; i < TimersPerService; i++)
            {
                var timer = new TrackedTimer(ledger);
                timer.Schedule(service, StressTime.UpTo(random.Next(4) == 0 ? 2000 : 4, random));
                part.Add(timer);
                if (random.Next(4) == 0)
                {
                    _ = timer.Cancel();
                }
            }
        }
        catch (ObjectDisposedException)
        {
            // Another thread has disposed it meanwhile.
        }
    }

    private static void End(TimerService service)
    {
        if (!service.DisposeAsync().AsTask().Wait(Stress.Guard))
        {
            Stress.Fail(Phase, "DisposeAsync does not end.");
        }
    }
}
