using System.Runtime.CompilerServices;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>A loop each of whose rounds begins inside the scope of the round before, as one does that starts the next by <c>Task.Run</c>.</summary>
/// <remarks>With bounds that keep all that was around them, every round's was alive.</remarks>
public sealed class ScopeChainsTests
{
    private const int Rounds = 1000;

    [Fact]
    public void CallTimeoutBound_OfAnEndlessLoop_KeepsNothingOfEarlierRounds() =>
        AssertFewLive<CallTimeoutBound>(static outer => new CallTimeoutBound(TimeSpan.FromSeconds(1), outer), static bound => bound.End());

    [Fact]
    public void CallDeadline_OfAnEndlessLoop_KeepsNothingOfEarlierRounds() =>
        AssertFewLive<CallDeadline>(static outer => new CallDeadline(timers: null, TimeSpan.FromSeconds(1), outer), static bound => bound.End());

    private static void AssertFewLive<T>(Func<T?, T> begin, Action<T> end)
        where T : class
    {
        var (last, all) = Run(begin, end);
        for (var i = 0; i < 10; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.InRange(all.Count(static bound => bound.IsAlive), 1, 10);
        GC.KeepAlive(last);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (T Last, List<WeakReference> All) Run<T>(Func<T?, T> begin, Action<T> end)
        where T : class
    {
        var all = new List<WeakReference>();
        T? held = null;
        for (var i = 0; i < Rounds; i++)
        {
            var next = begin(held);
            all.Add(new WeakReference(next));
            if (held is not null)
            {
                end(held);
            }

            held = next;
        }

        return (held!, all);
    }
}
