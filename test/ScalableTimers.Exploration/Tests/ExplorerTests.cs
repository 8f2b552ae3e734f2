namespace ScalableTimers.Exploration.Tests;

/// <summary>The engine finds the defects of small scenarios, and nothing else.</summary>
public class ExplorerTests
{
    public static TheoryData<string> Names => [.. SmallScenarios.All.Keys];

    /// <summary>The explorer may prune interleavings. It finds the same when it runs all of them.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void DepthFirst_SmallScenario_FindsItsDefectWithAndWithoutPruning(string name)
    {
        var small = SmallScenarios.All[name];
        foreach (var model in Enum.GetValues<MemoryModel>())
        {
            var expected = small.NeedsStoreBuffers && model != MemoryModel.StoreBuffers ? null : small.Failure;
            var all = new Explorer(small.Scenario) { Model = model, IsPruned = false }.DepthFirst(2);
            var pruned = new Explorer(small.Scenario) { Model = model }.DepthFirst(2);

            // When this exploration begins, no shared places are known.
            var atOnce = new Explorer(small.Scenario) { Model = model }.DepthFirstAt(2);
            foreach (var found in (ExplorationResult[])[all, pruned, atOnce])
            {
                Assert.True(
                    found.Failure is { } failure
                        ? expected is not null && failure.StartsWith(expected, StringComparison.Ordinal)
                        : expected is null,
                    $"{model}: {found} {found.Failure}");
                Assert.Equal(expected is null, found.IsComplete);
            }

            Assert.Equal(all.Strategy, pruned.Strategy);
        }
    }

    [Theory]
    [InlineData(1, 1, 2)]
    [InlineData(2, 3, 10)]
    [InlineData(3, 3, 20)]
    public void DepthFirst_WithoutABound_VisitsEachInterleavingOnce(int first, int second, int expected)
    {
        var visited = new List<(Interleaving Run, string Order)>();
        var scenario = new Scenario(run =>
        {
            var order = "";
            run.Run("a", () => Steps(first, () => order += 'a'));
            run.Run("b", () => Steps(second, () => order += 'b'));
            run.Check(() => visited.Add((run, order)));
        });

        Assert.True(new Explorer(scenario).DepthFirstAt(bound: 50).IsComplete);

        // Interleavings that a garbage collection has made void come twice.
        var orders = visited.Where(static one => !one.Run.IsVoid).Select(static one => one.Order).ToList();
        Assert.Equal(orders.Count, orders.Distinct().Count());
        Assert.Equal(expected, orders.Count);

        static void Steps(int count, Action step)
        {
            step();
            for (var i = 1; i < count; i++)
            {
                Point();
                step();
            }
        }
    }

    [Fact]
    public void DepthFirst_LostUpdate_NeedsOnePreemption()
    {
        var found = new Explorer(SmallScenarios.Count(threads: 2, isAtomic: false)).DepthFirst(2);
        Assert.NotNull(found.Failure);
        Assert.Equal("bound 1", found.Strategy);
    }

    [Fact]
    public void DepthFirst_UnsharedVariables_AddNoDecisions()
    {
        var scenario = SmallScenarios.CountBesideOwnCounters(isAtomic: true);
        var all = new Explorer(scenario) { IsPruned = false }.DepthFirst(2);
        var pruned = new Explorer(scenario).DepthFirst(2);
        Assert.True(pruned.IsComplete && all.IsComplete);
        Assert.True(
            pruned.Interleavings * 20 < all.Interleavings,
            $"{pruned.Interleavings} interleavings in place of {all.Interleavings}.");
    }

    [Fact]
    public void DepthFirst_ThreadsOfOneKind_AreInterchangeableUntilStarted()
    {
        var all = new Explorer(SmallScenarios.Count(threads: 3, isAtomic: true)).DepthFirst(2);
        var alike = new Explorer(SmallScenarios.Count(threads: 3, isAtomic: true, kind: "counts")).DepthFirst(2);
        Assert.True(all.IsComplete && alike.IsComplete);
        Assert.True(
            alike.Interleavings * 2 < all.Interleavings,
            $"{alike.Interleavings} interleavings in place of {all.Interleavings}.");
        Assert.NotNull(
            new Explorer(SmallScenarios.Count(threads: 3, isAtomic: false, kind: "counts")).DepthFirst(1).Failure);
    }

    [Fact]
    public void Explore_ThreadBlocksForReal_SaysWhereAndDoesNotHang()
    {
        var never = new TaskCompletionSource();
        var scenario = new Scenario(run => run.Run("a", () =>
        {
            Point("before");
            never.Task.Wait();
        }));
        var watchdog = Interleaving.Watchdog;
        Interleaving.Watchdog = TimeSpan.FromMilliseconds(100);
        try
        {
            var exception = Assert.Throws<InvalidOperationException>(() => new Explorer(scenario).DepthFirst(0));
            Assert.StartsWith(
                "a blocks its real thread after Point before", exception.Message, StringComparison.Ordinal);
        }
        finally
        {
            Interleaving.Watchdog = watchdog;
            never.SetResult();
        }

        // The engine continues to work, with other threads.
        Assert.Null(new Explorer(SmallScenarios.Count(threads: 2, isAtomic: true)).DepthFirst(1).Failure);
    }

    [Fact]
    public void Replay_FailingSchedule_FailsAgainAndSaysHow()
    {
        var explorer = new Explorer(SmallScenarios.FallAsleep(hasFence: false))
        {
            Model = MemoryModel.StoreBuffers,
        };
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
}
