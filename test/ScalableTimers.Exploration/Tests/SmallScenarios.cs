namespace ScalableTimers.Exploration.Tests;

/// <summary>Small scenarios with and without a defect, for tests of the engine.</summary>
internal static class SmallScenarios
{
    internal static Dictionary<string, SmallScenario> All { get; } = new()
    {
        ["a lost update"] = new(Count(threads: 2, isAtomic: false), "The counter is 1."),
        ["updates that are not lost"] = new(Count(threads: 3, isAtomic: true)),
        ["a lost update beside counters that are not shared"] = new(
            CountBesideOwnCounters(isAtomic: false), "An update is lost."),
        ["a driver that oversleeps"] = new(
            FallAsleep(hasFence: false), "The driver sleeps past a deadline.", NeedsStoreBuffers: true),
        ["a driver that oversleeps, fenced"] = new(FallAsleep(hasFence: true)),
        ["a message sent before its data"] = new(SendMessage(isRightWayRound: false), "The flag came before the data."),
        ["a message sent after its data"] = new(SendMessage(isRightWayRound: true)),
        ["a spinner for nobody"] = new(SpinForNobody(), "All threads wait: spins at Spin"),
        ["one that waits for a store and goes on at once"] = new(
            WaitForAStore(), "It went on before the other was through."),
        ["a spinner that waits for a store and goes on at once"] = new(
            SpinForAStore(), "It went on before the other was through."),
        ["locks in different order"] = new(NestedLocks(), "All threads wait: a at EnterLock"),
        ["an event that is waited for too late"] = new(WaitTooLate(), "All threads wait: waits at Wait"),
        ["a wait that ends with its time"] = new(WaitFor10Milliseconds()),
        ["a registration disposed while its callback runs"] = new(DisposeRegistration()),
        ["a thread that goes round in circles"] = new(GoRound(), "a does not get on"),
    };

    /// <summary>Each of some threads adds one to a counter.</summary>
    internal static Scenario Count(int threads, bool isAtomic, string? kind = null) => new(run =>
    {
        var counter = new Cell();
        for (var i = 0; i < threads; i++)
        {
            run.Run($"{i}", () => AddOne(counter, isAtomic), kind: kind);
        }

        run.Check(() => Require(counter.Value == threads, $"The counter is {counter.Value}."));
    });

    /// <summary>The same for two threads, each of which also has its own counter.</summary>
    internal static Scenario CountBesideOwnCounters(bool isAtomic) => new(run =>
    {
        var shared = new Cell();
        run.Run("a", Body);
        run.Run("b", Body);
        run.Check(() => Require(shared.Value == 2, "An update is lost."));

        void Body()
        {
            var own = new Cell();
            CountFive(own);
            AddOne(shared, isAtomic);
            CountFive(own);
        }

        static void CountFive(Cell own)
        {
            for (var i = 0; i < 5; i++)
            {
                Interlocked.Increment(ref own.Value);
            }
        }
    });

    // Each thread announces itself and then looks for the other, as in Dekker's algorithm.
    internal static Scenario FallAsleep(bool hasFence) => new(run =>
    {
        Cell deadline = new() { Value = 100 }, wakeTick = new();
        int seen = 0, slept = 0;
        run.Run("schedules", () =>
        {
            Volatile.Write(ref deadline.Value, 10);
            Fence();
            seen = Volatile.Read(ref wakeTick.Value);
        });
        run.Run("driver", () =>
        {
            Volatile.Write(ref wakeTick.Value, 100);
            Fence();
            slept = Volatile.Read(ref deadline.Value);
        });
        run.Check(() => Require(seen == 100 || slept == 10, "The driver sleeps past a deadline."));

        void Fence()
        {
            if (hasFence)
            {
                Interlocked.MemoryBarrier();
            }
        }
    });

    internal static Scenario SendMessage(bool isRightWayRound) => new(run =>
    {
        Cell data = new(), flag = new();
        run.Run("sends", () =>
        {
            if (!isRightWayRound)
            {
                Volatile.Write(ref flag.Value, 1);
            }

            Volatile.Write(ref data.Value, 1);
            Volatile.Write(ref flag.Value, 1);
        });
        run.Run("receives", () =>
        {
            if (Volatile.Read(ref flag.Value) == 1)
            {
                Require(Volatile.Read(ref data.Value) == 1, "The flag came before the data.");
            }
        });
    });

    private static void AddOne(Cell counter, bool isAtomic)
    {
        if (isAtomic)
        {
            Interlocked.Increment(ref counter.Value);
        }
        else
        {
            Volatile.Write(ref counter.Value, Volatile.Read(ref counter.Value) + 1);
        }
    }

    // The awaited value comes by a plain store without a fence, so the waiting thread must be able to see the store
    // while it is buffered.
    private static Scenario WaitForAStore() => new(static run =>
    {
        Cell flag = new();
        var isOver = false;
        run.Run("stores", () =>
        {
            Volatile.Write(ref flag.Value, 1);
            Point("after the store");
            isOver = true;
        });
        run.Run("waits", () =>
        {
            run.WaitUntil(() => Volatile.Read(ref flag.Value) == 1, "the store");
            Require(isOver, "It went on before the other was through.");
        });
    });

    private static Scenario SpinForAStore() => new(static run =>
    {
        Cell flag = new();
        bool isOver = false, hasSpun = false;
        run.Run("stores", () =>
        {
            run.WaitUntil(() => hasSpun, "the spinner");
            Volatile.Write(ref flag.Value, 1);
            Point("after the store");
            isOver = true;
        });
        run.Run("spins", () =>
        {
            var spinner = default(SpinWait);
            while (Volatile.Read(ref flag.Value) == 0)
            {
                hasSpun = true;
                spinner.SpinOnce();
            }

            Require(isOver, "It went on before the other was through.");
        });
    });

    private static Scenario WaitTooLate() => new(static run =>
    {
        Cell isWaiting = new(), isDone = new();
        var wake = new AutoResetEvent(false);
        run.Run("waits", () =>
        {
            if (Volatile.Read(ref isDone.Value) == 0)
            {
                Volatile.Write(ref isWaiting.Value, 1);
                wake.WaitOne(Timeout.Infinite);
            }
        });
        run.Run("wakes", () =>
        {
            Volatile.Write(ref isDone.Value, 1);
            if (Volatile.Read(ref isWaiting.Value) != 0)
            {
                wake.Set();
            }
        });
    });

    private static Scenario NestedLocks() => new(static run =>
    {
        Lock one = new(), other = new();
        Cell shared = new();
        run.Run("a", () => Nest(one, other));
        run.Run("b", () => Nest(other, one));
        run.Run("c", () => Nest(one, one));

        void Nest(Lock outer, Lock inner)
        {
            lock (outer)
            {
                Volatile.Write(ref shared.Value, 1);
                lock (inner)
                {
                }
            }
        }
    });

    private static Scenario SpinForNobody() => new(static run =>
    {
        var flag = new Cell();
        run.Run("spins", () =>
        {
            var spinner = default(SpinWait);
            while (Volatile.Read(ref flag.Value) == 0)
            {
                spinner.SpinOnce();
            }
        });
    });

    private static Scenario WaitFor10Milliseconds() => new(static run =>
    {
        var wake = new AutoResetEvent(false);
        run.Run("waits", () =>
        {
            Require(!wake.WaitOne(10), "Nobody has woken it.");
            Require(run.Clock.Elapsed == TimeSpan.FromMilliseconds(10), "The time has not passed.");
        });
    });

    private static Scenario DisposeRegistration() => new(static run =>
    {
        var source = new CancellationTokenSource();
        var isRunning = false;
        CancellationTokenRegistration registration = source.Token.UnsafeRegister(
            _ =>
            {
                isRunning = true;
                Point("in the callback");
                isRunning = false;
            },
            null);
        run.Run("cancels", () => Cancel(source));
        run.Run("disposes", () =>
        {
            registration.Dispose();
            Require(!isRunning, "The callback runs still.");
        });
    });

    private static Scenario GoRound() => new(static run => run.Run("a", static () =>
    {
        while (true)
        {
            Point();
        }
    }));

    private sealed class Cell
    {
        internal int Value;
    }

    /// <summary>
    /// A scenario, and the beginning of the failure that two preemptions show, perhaps only with store buffers.
    /// </summary>
    internal sealed record SmallScenario(Scenario Scenario, string? Failure = null, bool NeedsStoreBuffers = false);
}
