using ScalableTimers.Exploration.Engine;

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
        var scenario = new ScenarioMethod(run =>
        {
            var order = "";
            run.Run("a", () => Steps(first, () => order += 'a'));
            run.Run("b", () => Steps(second, () => order += 'b'));
            run.Check(() => visited.Add((run, order)));
        });

        var found = new Explorer(scenario).DepthFirstAt(bound: 50);
        Assert.True(found.IsComplete);

        // What a garbage collection has made void comes twice.
        var orders = visited.Where(static one => !one.Run.IsVoid).Select(static one => one.Order).ToList();
        Assert.Equal(orders.Count, orders.Distinct().Count());
        Assert.Equal(Binomial(first + second, first), orders.Count);

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
        var scenario = SmallScenarios.Count(threads: 2, isAtomic: false);
        Assert.Null(Explore(scenario, bound: 0).Failure);
        Assert.Equal("The counter is 1.", Explore(scenario, bound: 1).Failure);
    }

    [Fact]
    public void DepthFirst_InterlockedUpdates_LosesNone()
    {
        var found = Explore(SmallScenarios.Count(threads: 2, isAtomic: true), bound: 10);
        Assert.True(found.IsComplete);
        Assert.Null(found.Failure);
    }

    [Fact]
    public void DepthFirst_LoadPassingAStore_FailsWithStoreBuffersOnly()
    {
        var scenario = SmallScenarios.FallAsleep(hasFence: false);
        Assert.Null(Explore(scenario, bound: 4).Failure);
        Assert.NotNull(Explore(scenario, bound: 1, MemoryModel.StoreBuffers).Failure);
        Assert.Null(Explore(SmallScenarios.FallAsleep(hasFence: true), bound: 3, MemoryModel.StoreBuffers).Failure);
    }

    [Fact]
    public void DepthFirst_Message_HoldsWithStoreBuffers()
    {
        Assert.Null(Explore(SmallScenarios.SendMessage(isRightWayRound: true), 10, MemoryModel.StoreBuffers).Failure);
        Assert.NotNull(
            Explore(SmallScenarios.SendMessage(isRightWayRound: false), 1, MemoryModel.StoreBuffers).Failure);
    }

    [Theory]
    [InlineData("locks in different order", "a at EnterLock")]
    [InlineData("an event that is waited for too late", "waits at Wait")]
    public void DepthFirst_AllThreadsWait_IsADeadlock(string scenario, string first) =>
        Assert.StartsWith(
            "All threads wait: " + first,
            Explore(SmallScenarios.All[scenario], bound: 1).Failure,
            StringComparison.Ordinal);

    [Fact]
    public void DepthFirst_SpinningForAnother_IsNoDeadlock()
    {
        var found = Explore(Spin(isEnded: true), bound: 10);
        Assert.True(found.IsComplete);
        Assert.Null(found.Failure);
        Assert.True(Explore(Spin(isEnded: true), bound: 4, MemoryModel.StoreBuffers).IsComplete);
    }

    [Fact]
    public void DepthFirst_SpinningForNobody_IsADeadlock() =>
        Assert.StartsWith(
            "All threads wait: spins at Spin",
            Explore(Spin(isEnded: false), bound: 0).Failure,
            StringComparison.Ordinal);

    [Fact]
    public void DepthFirst_WaitWithATimeOut_EndsWhenNothingElseCanRun()
    {
        var scenario = new ScenarioMethod(static run =>
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
        var scenario = new ScenarioMethod(
            static run =>
            {
                var wake = new AutoResetEvent(false);
                run.Run("waits", () => Interleaving.Require(wake.WaitOne(10), "Timed out."));
                run.Run("wakes", () => wake.Set());
            },
            new ScenarioAttribute { TimePasses = TimePasses.AtAnyPoint });

        Assert.Equal("Timed out.", Explore(scenario, bound: 1).Failure);
    }

    [Fact]
    public void DepthFirst_RegistrationDisposedWhileItsCallbackRuns_Waits()
    {
        var scenario = new ScenarioMethod(static run =>
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
        var scenario = new ScenarioMethod(static run => run.Run("a", static () =>
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
        var scenario = new ScenarioMethod(run => run.Run("a", () =>
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
        Assert.Null(Explore(SmallScenarios.Count(threads: 2, isAtomic: true), bound: 1).Failure);
    }

    [Fact]
    public void Replay_FailingSchedule_FailsAgainAndSaysHow()
    {
        var scenario = SmallScenarios.FallAsleep(hasFence: false);
        var explorer = new Explorer(scenario) { Model = MemoryModel.StoreBuffers };
        var found = explorer.DepthFirst(bound: 2);
        var (failure, report) = explorer.Replay(found.Schedule!);
        Assert.Equal((found.Failure, found.Report), (failure, report));
        Assert.Contains("SmallScenarios.cs:", report, StringComparison.Ordinal);
        Assert.Contains("Write", report, StringComparison.Ordinal);
        Assert.Null(explorer.Replay("").Failure);
    }

    [Fact]
    public void RandomWalk_LostUpdate_FindsIt() =>
        Assert.NotNull(
            new Explorer(SmallScenarios.Count(threads: 3, isAtomic: false)).RandomWalk(seed: 1, count: 1_000).Failure);

    private static ExplorationResult Explore(
        Scenario scenario, int bound, MemoryModel model = MemoryModel.SequentiallyConsistent) =>
        new Explorer(scenario) { Model = model }.DepthFirst(bound);

    private static ScenarioMethod Spin(bool isEnded) => new(run =>
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
        if (isEnded)
        {
            run.Run("sets", () => Volatile.Write(ref flag.Value, 1));
        }
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
