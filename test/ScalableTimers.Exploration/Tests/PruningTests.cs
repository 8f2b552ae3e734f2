using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Tests;

/// <summary>The explorer may leave out interleavings: it finds the same when it runs all of them.</summary>
public class PruningTests
{
    public static TheoryData<string> Names => [.. SmallScenarios.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void DepthFirst_WithAndWithoutPruning_FindTheSame(string name)
    {
        var scenario = SmallScenarios.All[name];
        foreach (var model in Enum.GetValues<MemoryModel>())
        {
            var all = new Explorer(scenario) { Model = model, IsPruned = false }.DepthFirst(2);
            var pruned = new Explorer(scenario) { Model = model }.DepthFirst(2);
            Assert.Equal(all.Failure, pruned.Failure);
            Assert.Equal(all.Strategy, pruned.Strategy);
            Assert.Equal(all.IsComplete, pruned.IsComplete);

            // When this exploration begins, no shared places are known. So everything is found in later rounds, at new
            // places.
            var rounds = new Explorer(scenario) { Model = model }.DepthFirstAt(2);
            Assert.Equal(all.Failure is null, rounds.Failure is null);
            Assert.Equal(all.IsComplete, rounds.IsComplete);
        }
    }

    [Theory]
    [InlineData("a life begun past the end of the service", true)]
    [InlineData("a life begun past the end of the service, guarded", false)]
    [InlineData("plain data behind a flag that is set too early", true)]
    public void DepthFirst_DefectsThatTheCoreHad_AreFound(string name, bool isFound) =>
        Assert.Equal(isFound, new Explorer(SmallScenarios.All[name]).DepthFirst(2).Failure is not null);

    [Fact]
    public void DepthFirst_VariablesOfOneThread_AreNoDecisions()
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
    public void DepthFirst_ThreadsOfOneKind_AreNotToldApartUntilTheyStart()
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
    public void DepthFirst_WithStoreBuffers_FindsWhatThereIsWithoutThem()
    {
        // Failures of scenarios that wait for a store were once not found: a thread did not continue to wait for a
        // store that it had not seen, or continued only after the storing thread had ended.
        foreach (var (name, scenario) in SmallScenarios.All)
        {
            var plain = new Explorer(scenario).DepthFirst(2);
            var buffered = new Explorer(scenario) { Model = MemoryModel.StoreBuffers }.DepthFirst(2);
            Assert.True(plain.Failure is null || buffered.Failure is not null, $"{name}: {plain.Failure}");
        }
    }
}
