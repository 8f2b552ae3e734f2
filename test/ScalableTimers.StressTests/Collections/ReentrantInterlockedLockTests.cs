using ScalableTimers.Collections;

namespace ScalableTimers.StressTests.Collections;

/// <summary>The lock under contention, at random depths.</summary>
[Trait("Category", "Stress")]
public class ReentrantInterlockedLockTests
{
    private const int Threads = 4;

    private ReentrantInterlockedLock _lock;

    // The counters are guarded by _lock. Two threads inside the lock would make them differ.
    private long _count;
    private int _depth;

    // Calibrated in Release on 2 cores that had other work too. With a read and a write instead of the compare-exchange
    // in Enter it failed in 5 of 10 short runs and in 3 of 3 at full length. Without the return of an inner Exit it
    // failed at once.
    [Fact]
    public void EnterAndExit_FromManyThreadsAtRandomDepths_ExcludeEachOther()
    {
        const string Phase = "lock";
        var lastRoundAt = Stress.LastRoundAt(0.3, 20);
        var entered = new long[Threads];
        StressThreads.Run(Phase, Threads, thread =>
        {
            var random = Stress.NewRandom(thread);
            while (!StressTime.IsOver(lastRoundAt))
            {
                for (var i = 0; i < 100; i++)
                {
                    entered[thread] += Visit(random.Next(4));
                }
            }
        });
        Stress.Log($"{Phase}: entered {_count:N0} times");
        Assert.Equal((entered.Sum(), 0), (_count, _depth));
        Assert.False(_lock.IsHeldByCurrentThread);
    }

    /// <returns>The number of times that the lock was entered.</returns>
    private long Visit(int deeper)
    {
        _lock.Enter();
        Assert.True(_lock.IsHeldByCurrentThread);
        var depth = ++_depth;
        _count++;
        var entered = 1L;
        if (deeper > 0)
        {
            entered += Visit(deeper - 1);
        }

        Assert.Equal(depth, _depth);
        _depth--;
        _lock.Exit();
        return entered;
    }
}
