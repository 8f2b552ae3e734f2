using System.Reflection;
using System.Runtime.Loader;
using Microsoft.Extensions.Logging;
using ScalableTimers.Tests;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>One adoption for all who want it.</summary>
public sealed class ProcessAdoptionTests
{
    [Fact]
    public async Task Leave_OthersRemain_AdoptionGoesOn()
    {
        await using var run = new AdoptionRun();
        var other = new object();
        run.Join(other);
        run.Join(other);

        await run.Leave().Guarded("one of two leaves");
        Assert.Same(run.Adoption, run.Current);
        await run.UntilTakenOver();
        Assert.True(await StaticDelays.EndsOnTime(TimeSpan.FromMilliseconds(20)).Guarded("a delay ends"));
        await run.Leave().Guarded("one who has left leaves again");
        Assert.Same(run.Adoption, run.Current);

        await run.Leave(other).Guarded("the last one leaves");
        Assert.Null(run.Current);
        Assert.True(run.Adoption.Ended.IsCompletedSuccessfully);
    }

    [Fact]
    public async Task Join_AtOnceAfterTheLastOneLeft_BeginsAgainWhenTheReturnIsOver()
    {
        await using var run = new AdoptionRun();
        var pending = StaticDelays.Delay(TimeSpan.FromMilliseconds(500));
        await run.UntilAdopted(1).Guarded("the delay is adopted");

        var leaving = run.Leave();
        run.Join(run);

        await leaving.Guarded("the first adoption returns its timer");
        Assert.NotSame(run.Adoption, run.Current);
        Assert.True(await pending.Guarded("the delay ends"));
    }

    [Fact]
    public async Task Join_AnotherCopyOfTheLibraryHasAdopted_StaysOutAndSaysSo()
    {
        await using var run = new AdoptionRun();
        var copies = new AssemblyLoadContext("a second copy");
        var copy = copies.LoadFromAssemblyPath(typeof(ProcessAdoption).Assembly.Location).GetType(typeof(ProcessAdoption).FullName!, throwOnError: true)!;
        Assert.NotSame(typeof(ProcessAdoption), copy);
        var log = new CollectingLogger();
        var instance = copy.GetProperty(nameof(ProcessAdoption.Instance), BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null);
        object? Call(string name, params object[] arguments) =>
            copy.GetMethod(name, BindingFlags.NonPublic | BindingFlags.Instance)!.Invoke(instance, arguments);

        Call(nameof(ProcessAdoption.Join), run, log);

        var entry = Assert.Single(log.Entries);
        Assert.Equal(LogLevel.Information, entry.Level);
        Assert.Contains("another copy", entry.Message, StringComparison.Ordinal);
        await run.UntilTakenOver();
        await ((Task)Call(nameof(ProcessAdoption.Leave), run)!).Guarded("the copy leaves");
        Assert.True(await StaticDelays.EndsOnTime(TimeSpan.FromMilliseconds(20)).Guarded("the first copy still serves"));

        // What the first has left the second may have.
        await run.DisposeAsync();
        Call(nameof(ProcessAdoption.Join), run, log);
        await Eventually.True(() => AdoptionRun.HasTakenOver(log), "the copy takes over");
        Assert.True(await StaticDelays.EndsOnTime(TimeSpan.FromMilliseconds(20)).Guarded("the copy serves"));
        await ((Task)Call(nameof(ProcessAdoption.Leave), run)!).Guarded("the copy leaves again");
        Assert.Contains(log.Entries, static entry => entry.Message.Contains("works by itself again", StringComparison.Ordinal));
    }
}
