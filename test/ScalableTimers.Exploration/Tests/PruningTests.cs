using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>The explorer may leave out interleavings: it finds the same when it runs all of them.</summary>
public class PruningTests
{
    private static readonly Dictionary<string, LambdaScenario> s_scenarios = new()
    {
        ["a life begun past the end of the service"] = BeginWhileStopping(isGuarded: false),
        ["a life begun past the end of the service, guarded"] = BeginWhileStopping(isGuarded: true),
        ["an entry moved past its next life"] = MoveOn(isGuarded: false),
        ["an entry moved past its next life, guarded"] = MoveOn(isGuarded: true),
        ["a driver that oversleeps"] = FallAsleep(hasFence: false),
        ["a driver that oversleeps, fenced"] = FallAsleep(hasFence: true),
        ["a lost update beside counters that are not shared"] = LostUpdateBesideOwnCounters(),
        ["plain data behind a flag that is set too early"] = Publish(isRightWayRound: false),
        ["plain data behind a flag"] = Publish(isRightWayRound: true),
        ["a spinner beside two that count"] = SpinBesideCounters(),
        ["one that waits for a store and goes on at once"] = WaitForAStore(),
        ["a spinner that waits for a store and goes on at once"] = SpinForAStore(),
        ["locks in different order"] = NestedLocks(),
        ["an event that is waited for too late"] = WaitTooLate(),
    };

    public static TheoryData<string> Names => [.. s_scenarios.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void DepthFirst_WithAndWithoutPruning_FindTheSame(string name)
    {
        foreach (var model in Enum.GetValues<MemoryModel>())
        {
            var all = new Explorer(s_scenarios[name]) { Model = model, IsPruned = false }.DepthFirst(2);
            var pruned = new Explorer(s_scenarios[name]) { Model = model }.DepthFirst(2);
            Assert.Equal(all.Failure, pruned.Failure);
            Assert.Equal(all.Strategy, pruned.Strategy);
            Assert.Equal(all.IsComplete, pruned.IsComplete);
            Assert.True(
                pruned.Interleavings <= all.Interleavings,
                $"{pruned.Interleavings} interleavings in place of {all.Interleavings}.");
        }
    }

    [Theory]
    [InlineData("a life begun past the end of the service", true)]
    [InlineData("an entry moved past its next life", true)]
    [InlineData("a life begun past the end of the service, guarded", false)]
    [InlineData("an entry moved past its next life, guarded", false)]
    [InlineData("plain data behind a flag that is set too early", true)]
    public void DepthFirst_DefectsThatTheCoreHad_AreFound(string name, bool isFound) =>
        Assert.Equal(isFound, new Explorer(s_scenarios[name]).DepthFirst(2).Failure is not null);

    [Fact]
    public void DepthFirst_VariablesOfOneThread_AreNoDecisions()
    {
        var all = new Explorer(LostUpdateBesideOwnCounters(isAtomic: true)) { IsPruned = false }.DepthFirst(2);
        var pruned = new Explorer(LostUpdateBesideOwnCounters(isAtomic: true)).DepthFirst(2);
        Assert.True(pruned.IsComplete && all.IsComplete);
        Assert.True(
            pruned.Interleavings * 20 < all.Interleavings,
            $"{pruned.Interleavings} interleavings in place of {all.Interleavings}.");
    }

    [Fact]
    public void DepthFirst_ThreadsOfOneKind_AreNotToldApartUntilTheyStart()
    {
        var all = new Explorer(CountThree(kind: null)).DepthFirst(2);
        var alike = new Explorer(CountThree(kind: "counts")).DepthFirst(2);
        Assert.True(all.IsComplete && alike.IsComplete);
        Assert.True(
            alike.Interleavings * 2 < all.Interleavings,
            $"{alike.Interleavings} interleavings in place of {all.Interleavings}.");
        Assert.NotNull(new Explorer(CountThree(kind: "counts", isAtomic: false)).DepthFirst(1).Failure);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void DepthFirstAt_LearningOnTheWay_FindsTheSame(string name)
    {
        // When the exploration begins, no shared places are known. So everything is found in later rounds, at new
        // places.
        foreach (var model in Enum.GetValues<MemoryModel>())
        {
            var all = new Explorer(s_scenarios[name]) { Model = model, IsPruned = false }.DepthFirst(2);
            var rounds = new Explorer(s_scenarios[name]) { Model = model }.DepthFirstAt(2);
            Assert.Equal(all.Failure is null, rounds.Failure is null);
            Assert.Equal(all.IsComplete, rounds.IsComplete);
        }
    }

    [Fact]
    public void DepthFirst_WithStoreBuffers_FindsWhatThereIsWithoutThem()
    {
        // Failures of scenarios that wait for a store were once not found: a thread did not continue to wait for a
        // store that it had not seen, or continued only after the storing thread had ended.
        foreach (var (name, scenario) in s_scenarios)
        {
            var plain = new Explorer(scenario).DepthFirst(2);
            var buffered = new Explorer(scenario) { Model = MemoryModel.StoreBuffers }.DepthFirst(2);
            Assert.True(plain.Failure is null || buffered.Failure is not null, $"{name}: {plain.Failure}");
        }
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void HasReordering_LoadAfterStore_OnlyWithoutAFence(bool hasFence, bool expected)
    {
        var explorer = new Explorer(FallAsleep(hasFence));
        explorer.DepthFirst(2);
        Assert.Equal(expected, explorer.HasReordering);
    }

    // In an early version delays began by a check of the phase and a compare-exchange, without the lock. The sweep of a
    // stopping service passed between the two.
    private static LambdaScenario BeginWhileStopping(bool isGuarded) => new(run =>
    {
        Cell phase = new(), entry = new();
        var gate = new Lock();
        run.Run("begins", () =>
        {
            if (isGuarded)
            {
                gate.Enter();
            }

            if (Volatile.Read(ref phase.Value) == 0)
            {
                Interlocked.CompareExchange(ref entry.Value, 1, 0);
            }

            if (isGuarded)
            {
                gate.Exit();
            }
        });
        run.Run("stops", () =>
        {
            gate.Enter();
            Volatile.Write(ref phase.Value, 1);
            Interlocked.CompareExchange(ref entry.Value, 0, 1);
            gate.Exit();
        });
        run.Check(() => Interleaving.Require(entry.Value == 0, "An entry lives on after the service has stopped."));
    });

    // In an early version an entry that was still linked began its next life without the lock. A driver that had read
    // the former deadline moved it there.
    private static LambdaScenario MoveOn(bool isGuarded) => new(run =>
    {
        Cell deadline = new() { Value = 100 }, place = new() { Value = 5 };
        var gate = new Lock();
        run.Run("begins", () =>
        {
            if (isGuarded)
            {
                gate.Enter();
                Volatile.Write(ref place.Value, 10);
            }

            Volatile.Write(ref deadline.Value, 10);
            if (isGuarded)
            {
                gate.Exit();
            }
        });
        run.Run("driver", () =>
        {
            gate.Enter();
            if (Volatile.Read(ref place.Value) == 5)
            {
                Volatile.Write(ref place.Value, Volatile.Read(ref deadline.Value));
            }

            gate.Exit();
        });
        run.Check(
            () =>
                Interleaving.Require(
                    place.Value <= deadline.Value, $"It lies at {place.Value} and is due at {deadline.Value}."));
    });

    private static LambdaScenario FallAsleep(bool hasFence) => new(run =>
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
        run.Check(() => Interleaving.Require(seen == 100 || slept == 10, "The driver sleeps past a deadline."));

        void Fence()
        {
            if (hasFence)
            {
                Interlocked.MemoryBarrier();
            }
        }
    });

    private static LambdaScenario LostUpdateBesideOwnCounters(bool isAtomic = false) => new(run =>
    {
        var shared = new Cell();
        run.Run("a", Body);
        run.Run("b", Body);
        run.Check(() => Interleaving.Require(shared.Value == 2, "An update is lost."));

        void Body()
        {
            var own = new Cell();
            Count(own);
            if (isAtomic)
            {
                Interlocked.Increment(ref shared.Value);
            }
            else
            {
                Volatile.Write(ref shared.Value, Volatile.Read(ref shared.Value) + 1);
            }

            Count(own);
        }

        static void Count(Cell own)
        {
            for (var i = 0; i < 5; i++)
            {
                Interlocked.Increment(ref own.Value);
            }
        }
    });

    private static LambdaScenario CountThree(string? kind, bool isAtomic = true) => new(run =>
    {
        var counter = new Cell();
        foreach (var name in (string[])["a", "b", "c"])
        {
            run.Run(name, Count, kind: kind);
        }

        run.Check(() => Interleaving.Require(counter.Value == 3, $"The counter is {counter.Value}."));

        void Count()
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
    });

    // The awaited value comes by a plain store, and no fence follows it. So the waiting thread must be able to see the
    // store while it is buffered.
    private static LambdaScenario WaitForAStore() => new(static run =>
    {
        Cell flag = new();
        var isOver = false;
        run.Run("stores", () =>
        {
            Volatile.Write(ref flag.Value, 1);
            Interleaving.Point("after the store");
            isOver = true;
        });
        run.Run("waits", () =>
        {
            run.WaitUntil(() => Volatile.Read(ref flag.Value) == 1, "the store");
            Interleaving.Require(isOver, "It went on before the other was through.");
        });
    });

    private static LambdaScenario SpinForAStore() => new(static run =>
    {
        Cell flag = new();
        bool isOver = false, hasSpun = false;
        run.Run("stores", () =>
        {
            run.WaitUntil(() => hasSpun, "the spinner");
            Volatile.Write(ref flag.Value, 1);
            Interleaving.Point("after the store");
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

            Interleaving.Require(isOver, "It went on before the other was through.");
        });
    });

    private static LambdaScenario WaitTooLate() => new(static run =>
    {
        Cell isWaiting = new(), isDone = new();
        var wake = new AutoResetEvent(false);
        run.Run("waits", () =>
        {
            if (Volatile.Read(ref isDone.Value) == 0)
            {
                Volatile.Write(ref isWaiting.Value, 1);
                wake.WaitOne();
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

    private static LambdaScenario NestedLocks() => new(static run =>
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

    private static LambdaScenario Publish(bool isRightWayRound) => new(run =>
    {
        var flag = new Cell();
        var data = 0;
        run.Run("writes", () =>
        {
            data = isRightWayRound ? 1 : 0;
            Volatile.Write(ref flag.Value, 1);
            data = 1;
        });
        run.Run("reads", () =>
        {
            if (Volatile.Read(ref flag.Value) == 1)
            {
                Interleaving.Require(data == 1, "The flag came before the data.");
            }
        });
    });

    private static LambdaScenario SpinBesideCounters() => new(static run =>
    {
        Cell flag = new(), other = new();
        run.Run("spins", () =>
        {
            var spinner = default(SpinWait);
            while (Volatile.Read(ref flag.Value) == 0)
            {
                spinner.SpinOnce();
            }

            Interleaving.Require(Volatile.Read(ref other.Value) > 0, "The flag came before the first count.");
        });
        run.Run("counts and sets", () =>
        {
            Interlocked.Increment(ref other.Value);
            Volatile.Write(ref flag.Value, 1);
        });
        run.Run("counts", () => Interlocked.Increment(ref other.Value));
    });

    private sealed class Cell
    {
        internal int Value;
    }
}
