using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Tests;

/// <summary>The engine finds the defects of small scenarios, and nothing else.</summary>
public class ExplorerTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 3)]
    [InlineData(3, 3)]
    public void DepthFirst_WithoutABound_VisitsEachInterleavingOnce(int first, int second)
    {
        var visited = new List<(Interleaving Run, string Order)>();
        var scenario = new LambdaScenario(run =>
        {
            var order = "";
            run.Run("a", () => Steps(first, () => order += 'a'));
            run.Run("b", () => Steps(second, () => order += 'b'));
            run.Check(() => visited.Add((run, order)));
        });

        var found = Explore(scenario, bound: 50);
        Assert.True(found.IsComplete);

        // Each bound begins again. The last one includes them all. What a garbage collection has made void comes twice.
        var last = visited.Where(static one => !one.Run.IsVoid).Select(static one => one.Order)
            .TakeLast(found.Interleavings).ToList();
        Assert.Equal(last.Count, last.Distinct().Count());
        Assert.Equal(Binomial(first + second, first), last.Count);

        static void Steps(int count, Action step)
        {
            step();
            for (var i = 1; i < count; i++)
            {
                Interleaving.Point();
                step();
            }
        }
    }

    [Fact]
    public void DepthFirst_LostUpdate_FindsItWithOnePreemption()
    {
        var scenario = new LambdaScenario(static run =>
        {
            var counter = new Cell();
            run.Run("a", () => Volatile.Write(ref counter.Value, Volatile.Read(ref counter.Value) + 1));
            run.Run("b", () => Volatile.Write(ref counter.Value, Volatile.Read(ref counter.Value) + 1));
            run.Check(() => Interleaving.Require(counter.Value == 2, $"The counter is {counter.Value}."));
        });

        Assert.Null(Explore(scenario, bound: 0).Failure);
        Assert.Equal("The counter is 1.", Explore(scenario, bound: 1).Failure);
    }

    [Fact]
    public void DepthFirst_InterlockedUpdates_LosesNone()
    {
        var found = Explore(Increments(), bound: 10);
        Assert.True(found.IsComplete);
        Assert.Null(found.Failure);
    }

    [Fact]
    public void DepthFirst_InterlockedUpdateThatIsNotAtomic_FindsTheMutant()
    {
        var sites = new HashSet<Site>();
        new Explorer(Increments()) { Sites = sites }.DepthFirst(bound: 0);
        var mutant = Assert.Single(sites.SelectMany(Mutant.Of));
        Assert.Equal(MutantKind.NotAtomic, mutant.Kind);
        Assert.NotNull(new Explorer(Increments()) { Mutant = mutant }.DepthFirst(bound: 1).Failure);
    }

    [Fact]
    public void DepthFirst_Dekker_FailsWithStoreBuffersOnly()
    {
        Assert.Null(Explore(Dekker(hasFence: false), bound: 4).Failure);
        Assert.NotNull(Explore(Dekker(hasFence: false), bound: 1, MemoryModel.StoreBuffers).Failure);
        Assert.Null(Explore(Dekker(hasFence: true), bound: 3, MemoryModel.StoreBuffers).Failure);
    }

    [Fact]
    public void DepthFirst_MessagePassing_HoldsWithStoreBuffers()
    {
        Assert.Null(Explore(MessagePassing(isRightWayRound: true), bound: 10, MemoryModel.StoreBuffers).Failure);
        Assert.NotNull(Explore(MessagePassing(isRightWayRound: false), bound: 1, MemoryModel.StoreBuffers).Failure);
    }

    [Fact]
    public void DepthFirst_MessageWrittenLate_FindsTheMutant()
    {
        var sites = new HashSet<Site>();
        new Explorer(MessagePassing(isRightWayRound: true)) { Sites = sites }.DepthFirst(bound: 1);
        var mutants = sites.SelectMany(Mutant.Of)
            .Where(static mutant => mutant.Site.Variable.Contains("data", StringComparison.Ordinal))
            .ToList();
        Assert.Equal(
            [MutantKind.LateWrite, MutantKind.LostWrite, MutantKind.StaleRead],
            mutants.Select(static mutant => mutant.Kind).Order().OrderBy(static kind => kind == MutantKind.StaleRead));
        Assert.All(
            mutants.Where(static mutant => mutant.Kind != MutantKind.StaleRead),
            static mutant =>
                Assert.NotNull(
                    new Explorer(MessagePassing(isRightWayRound: true)) { Mutant = mutant }.DepthFirst(bound: 2)
                        .Failure));
    }

    [Fact]
    public void DepthFirst_LocksInDifferentOrder_FindsTheDeadlock()
    {
        var scenario = new LambdaScenario(static run =>
        {
            Lock one = new(), other = new();
            run.Run("a", () => Nest(one, other));
            run.Run("b", () => Nest(other, one));
        });

        var found = Explore(scenario, bound: 1);
        Assert.StartsWith("All threads wait: a at EnterLock", found.Failure, StringComparison.Ordinal);

        static void Nest(Lock outer, Lock inner)
        {
            lock (outer)
            {
                lock (inner)
                {
                }
            }
        }
    }

    [Fact]
    public void DepthFirst_SpinningForAnother_IsNoDeadlock()
    {
        var scenario = new LambdaScenario(static run =>
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
            run.Run("sets", () => Volatile.Write(ref flag.Value, 1));
        });

        var found = Explore(scenario, bound: 10);
        Assert.True(found.IsComplete);
        Assert.Null(found.Failure);
        Assert.True(Explore(scenario, bound: 4, MemoryModel.StoreBuffers).IsComplete);
    }

    [Fact]
    public void DepthFirst_SpinningForNobody_IsADeadlock()
    {
        var scenario = new LambdaScenario(static run =>
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

        Assert.StartsWith(
            "All threads wait: spins at Spin", Explore(scenario, bound: 0).Failure, StringComparison.Ordinal);
    }

    [Fact]
    public void DepthFirst_EventThatIsNotKept_FindsTheLostWakeUp()
    {
        // The thread looks, and then waits. A change between the two is lost, because the event is set only for a
        // thread that is seen waiting.
        var scenario = new LambdaScenario(static run =>
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

        Assert.StartsWith(
            "All threads wait: waits at Wait", Explore(scenario, bound: 1).Failure, StringComparison.Ordinal);
    }

    [Fact]
    public void DepthFirst_WaitWithATimeOut_EndsWhenNothingElseCanRun()
    {
        var scenario = new LambdaScenario(static run =>
        {
            var wake = new AutoResetEvent(false);
            run.Run("waits", () =>
            {
                Interleaving.Require(!wake.WaitOne(10), "Nobody has woken it.");
                Interleaving.Require(run.Clock.Elapsed == TimeSpan.FromMilliseconds(10), "The time has not passed.");
            });
        });

        Assert.Null(Explore(scenario, bound: 1).Failure);
    }

    [Fact]
    public void DepthFirst_TimeThatPassesAtAnyPoint_IsExplored()
    {
        var scenario = new LambdaScenario(
            static run =>
            {
                var wake = new AutoResetEvent(false);
                run.Run("waits", () => Interleaving.Require(wake.WaitOne(10), "Timed out."));
                run.Run("wakes", () => wake.Set());
            },
            TimePasses.AtAnyPoint);

        Assert.Equal("Timed out.", Explore(scenario, bound: 1).Failure);
    }

    [Fact]
    public void DepthFirst_RegistrationDisposedWhileItsCallbackRuns_Waits()
    {
        var scenario = new LambdaScenario(static run =>
        {
            var source = new CancellationTokenSource();
            bool isRunning = false, hasRun = false;
            CancellationTokenRegistration registration = source.Token.UnsafeRegister(
                _ =>
                {
                    isRunning = true;
                    Interleaving.Point("in the callback");
                    isRunning = false;
                    hasRun = true;
                },
                null);
            run.Run("cancels", () => Interleaving.Cancel(source));
            run.Run("disposes", () =>
            {
                registration.Dispose();
                Interleaving.Require(!isRunning, "The callback runs still.");
            });
            run.Check(() => _ = hasRun);
        });

        var found = Explore(scenario, bound: 10);
        Assert.Null(found.Failure);
        Assert.True(found.IsComplete);
    }

    [Fact]
    public void DepthFirst_ThreadThatGoesRoundInCircles_Fails()
    {
        var scenario = new LambdaScenario(static run => run.Run("a", static () =>
        {
            while (true)
            {
                Interleaving.Point();
            }
        }));

        Assert.StartsWith("a does not get on", Explore(scenario, bound: 0).Failure, StringComparison.Ordinal);
    }

    [Fact]
    public void Explore_ThreadThatBlocksUnseen_SaysWhereAndDoesNotHang()
    {
        var never = new TaskCompletionSource();
        var scenario = new LambdaScenario(run => run.Run("a", () =>
        {
            Interleaving.Point("before");
            never.Task.Wait();
        }));
        var watchdog = Interleaving.Watchdog;
        Interleaving.Watchdog = TimeSpan.FromMilliseconds(100);
        try
        {
            var exception = Assert.Throws<InvalidOperationException>(() => Explore(scenario, bound: 0));
            Assert.StartsWith(
                "a blocks its real thread after Point before", exception.Message, StringComparison.Ordinal);
        }
        finally
        {
            Interleaving.Watchdog = watchdog;
            never.SetResult();
        }

        // The engine continues to work, with other threads.
        Assert.Null(Explore(Increments(), bound: 1).Failure);
    }

    [Fact]
    public void Replay_FailingSchedule_FailsAgainAndSaysHow()
    {
        var scenario = Dekker(hasFence: false);
        var explorer = new Explorer(scenario) { Model = MemoryModel.StoreBuffers };
        var found = explorer.DepthFirst(bound: 2);
        var report = explorer.Replay(found.Schedule!);
        Assert.Equal(found.Report, report);
        Assert.Contains("ExplorerTests.cs:", report, StringComparison.Ordinal);
        Assert.Contains("Write", report, StringComparison.Ordinal);
        Assert.Null(explorer.Replay(""));
    }

    [Fact]
    public void RandomWalk_LostUpdateOfThree_FindsIt() =>
        Assert.NotNull(new Explorer(LostUpdateOfThree()).RandomWalk(seed: 1, count: 1_000).Failure);

    [Fact]
    public void PriorityWalk_LostUpdateOfThree_FindsIt() =>
        Assert.NotNull(new Explorer(LostUpdateOfThree()).PriorityWalk(seed: 1, depth: 3, count: 1_000).Failure);

    private static ExplorationResult Explore(
        Scenario scenario, int bound, MemoryModel model = MemoryModel.SequentiallyConsistent) =>
        new Explorer(scenario) { Model = model }.DepthFirst(bound);

    private static LambdaScenario Increments() => new(static run =>
    {
        var counter = new Cell();
        run.Run("a", () => Increment(counter));
        run.Run("b", () => Increment(counter));
        run.Check(() => Interleaving.Require(counter.Value == 2, $"The counter is {counter.Value}."));

        static void Increment(Cell counter) => Interlocked.Increment(ref counter.Value);
    });

    // Each thread announces itself and then looks for the other. At least one sees the other.
    private static LambdaScenario Dekker(bool hasFence) => new(run =>
    {
        Cell one = new(), other = new();
        int seenByA = 0, seenByB = 0;
        run.Run("a", () => seenByA = Enter(one, other));
        run.Run("b", () => seenByB = Enter(other, one));
        run.Check(() => Interleaving.Require(seenByA + seenByB > 0, "Neither has seen the other."));

        int Enter(Cell mine, Cell others)
        {
            Volatile.Write(ref mine.Value, 1);
            if (hasFence)
            {
                Interlocked.MemoryBarrier();
            }

            return Volatile.Read(ref others.Value);
        }
    });

    private static LambdaScenario MessagePassing(bool isRightWayRound) => new(run =>
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
                Interleaving.Require(Volatile.Read(ref data.Value) == 1, "The flag came before the data.");
            }
        });
    });

    private static LambdaScenario LostUpdateOfThree() => new(static run =>
    {
        var counter = new Cell();
        for (var i = 0; i < 3; i++)
        {
            run.Run($"{i}", () => Volatile.Write(ref counter.Value, Volatile.Read(ref counter.Value) + 1));
        }

        run.Check(() => Interleaving.Require(counter.Value > 1, "Two updates are lost."));
    });

    private static int Binomial(int n, int k)
    {
        var result = 1;
        for (var i = 1; i <= k; i++)
        {
            result = result * (n - k + i) / i;
        }

        return result;
    }

    private sealed class Cell
    {
        internal int Value;
    }
}
