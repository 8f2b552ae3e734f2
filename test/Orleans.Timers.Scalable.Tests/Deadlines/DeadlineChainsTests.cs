using System.Runtime.CompilerServices;
using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A loop in which each round begins inside the deadline of the round before, as when a round starts the next by
/// <c>Task.Run</c>.
/// </summary>
/// <remarks>
/// Failed while bounds kept all outer bounds: the bound of every round was alive. Failed while they only released the
/// next outer bound: the bounds of three overlapping rounds stayed alive.
/// </remarks>
public sealed class DeadlineChainsTests
{
    private const int Rounds = 200;

    /// <summary>How many rounds have begun and not ended.</summary>
    private const int Overlap = 3;

    [Fact]
    public void CallDeadline_OfAnEndlessLoop_KeepsNothingOfEarlierRounds() => AssertFewLive(
        static outer => new FlowingDeadline(TimeProvider.System, TimeSpan.FromSeconds(1), outer));

    // The bounds outside a barrier are never read.
    [Fact]
    public void Barrier_OfAnEndlessLoop_KeepsNothingOfEarlierRounds() => AssertFewLive(
        static outer => new FlowingDeadline(TimeProvider.System, budget: null, outer));

    private static void AssertFewLive(Func<FlowingDeadline?, FlowingDeadline> begin)
    {
        var (last, all) = Run(begin);
        Garbage.CollectUntil(() => all.Count(static bound => bound.IsAlive) <= 10);

        Assert.InRange(all.Count(static bound => bound.IsAlive), 1, 10);
        GC.KeepAlive(last);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (FlowingDeadline Last, List<WeakReference> All) Run(Func<FlowingDeadline?, FlowingDeadline> begin)
    {
        var all = new List<WeakReference>();
        var inFlight = new Queue<FlowingDeadline>();
        FlowingDeadline? last = null;
        for (var i = 0; i < Rounds; i++)
        {
            last = begin(last);
            all.Add(new WeakReference(last));
            inFlight.Enqueue(last);
            if (inFlight.Count > Overlap)
            {
                inFlight.Dequeue().End();
            }
        }

        return (last!, all);
    }
}
