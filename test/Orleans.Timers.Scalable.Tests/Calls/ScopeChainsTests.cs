using System.Runtime.CompilerServices;
using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A loop in which each round begins inside the scope of the round before, as when a round starts the next by
/// <c>Task.Run</c>.
/// </summary>
/// <remarks>
/// Failed while bounds kept all outer bounds: the bound of every round was alive. Failed while they only released the
/// next outer bound: the bounds of three overlapping rounds stayed alive.
/// </remarks>
public sealed class ScopeChainsTests
{
    private const int Rounds = 200;

    /// <summary>How many rounds have begun and not ended.</summary>
    private const int Overlap = 3;

    [Fact]
    public void CallTimeoutBound_OfAnEndlessLoop_KeepsNothingOfEarlierRounds() =>
        AssertFewLive<FlowingTimeout>(
            static outer => new FlowingTimeout(TimeSpan.FromSeconds(1), outer), static bound => bound.End());

    internal static void AssertFewLive<T>(Func<T?, T> begin, Action<T> end)
        where T : class
    {
        var (last, all) = Run(begin, end);
        Garbage.CollectUntil(() => all.Count(static bound => bound.IsAlive) <= 10);

        Assert.InRange(all.Count(static bound => bound.IsAlive), 1, 10);
        GC.KeepAlive(last);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (T Last, List<WeakReference> All) Run<T>(Func<T?, T> begin, Action<T> end)
        where T : class
    {
        var all = new List<WeakReference>();
        var inFlight = new Queue<T>();
        T? last = null;
        for (var i = 0; i < Rounds; i++)
        {
            last = begin(last);
            all.Add(new WeakReference(last));
            inFlight.Enqueue(last);
            if (inFlight.Count > Overlap)
            {
                end(inFlight.Dequeue());
            }
        }

        return (last!, all);
    }
}
