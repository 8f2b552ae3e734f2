using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// A loop in which each round begins inside the scope of the round before, as when a round starts the next by
/// <c>Task.Run</c>.
/// </summary>
/// <remarks>
/// While bounds kept all outer bounds, the bound of every round was alive. While they released only the next outer
/// bound, the bounds of three overlapping rounds stayed alive.
/// </remarks>
public sealed class ScopeChainsTests
{
    private const int Rounds = 200;

    /// <summary>How many rounds have begun and not ended.</summary>
    public static TheoryData<int> Overlaps { get; } = [1, 3];

    [Theory]
    [MemberData(nameof(Overlaps))]
    public void CallTimeoutBound_OfAnEndlessLoop_KeepsNothingOfEarlierRounds(int overlap) =>
        AssertFewLive<CallTimeoutBound>(
            static outer => new CallTimeoutBound(TimeSpan.FromSeconds(1), outer), static bound => bound.End(), overlap);

    [Theory]
    [MemberData(nameof(Overlaps))]
    public void CallDeadline_OfAnEndlessLoop_KeepsNothingOfEarlierRounds(int overlap) =>
        AssertFewLive<CallDeadline>(
            static outer => new CallDeadline(timers: null, TimeSpan.FromSeconds(1), outer),
            static bound => bound.End(),
            overlap);

    // The bounds outside of a barrier are never read.
    [Theory]
    [MemberData(nameof(Overlaps))]
    public void Barrier_OfAnEndlessLoop_KeepsNothingOfEarlierRounds(int overlap) =>
        AssertFewLive<CallDeadline>(CallDeadline.Barrier, static bound => bound.End(), overlap);

    private static void AssertFewLive<T>(Func<T?, T> begin, Action<T> end, int overlap)
        where T : class
    {
        var (last, all) = Run(begin, end, overlap);
        Garbage.CollectUntil(() => all.Count(static bound => bound.IsAlive) <= 10);

        Assert.InRange(all.Count(static bound => bound.IsAlive), 1, 10);
        GC.KeepAlive(last);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (T Last, List<WeakReference> All) Run<T>(Func<T?, T> begin, Action<T> end, int overlap)
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
            if (inFlight.Count > overlap)
            {
                end(inFlight.Dequeue());
            }
        }

        return (last!, all);
    }
}
