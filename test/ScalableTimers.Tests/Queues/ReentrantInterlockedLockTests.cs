using ScalableTimers.Queues;

namespace ScalableTimers.Tests.Queues;

public class ReentrantInterlockedLockTests
{
    private ReentrantInterlockedLock _lock;

    [Fact]
    public void Exit_OfAnInnerEnter_KeepsTheOuterLocked()
    {
        // Orleans' own lock does not count how often it was entered, so the inner release unlocks the outer lock too.
        Assert.False(_lock.IsHeldByCurrentThread);
        _lock.Enter();
        _lock.Enter();
        _lock.Enter();

        Wait.ForThread(() => Assert.False(_lock.IsHeldByCurrentThread));
        _lock.Exit();
        _lock.Exit();

        Assert.True(_lock.IsHeldByCurrentThread);
        _lock.Exit();
        Assert.False(_lock.IsHeldByCurrentThread);
        Wait.ForThread(EnterAndExit);
    }

    [Fact]
    public void Exit_ByAnotherThread_ThrowsAndKeepsItLocked()
    {
        _lock.Enter();

        Wait.ForThread(() => Assert.Throws<SynchronizationLockException>(() => _lock.Exit()));

        Assert.True(_lock.IsHeldByCurrentThread);
        _lock.Exit();
    }

    [Fact]
    public void Exit_OnceTooOften_Throws()
    {
        _lock.Enter();
        _lock.Exit();

        Assert.Throws<SynchronizationLockException>(() => _lock.Exit());
        Wait.ForThread(EnterAndExit);
    }

    // Calibrated by replacing the compare-exchange in EnterContended's loop with a plain write of _owner: counts are
    // lost, or a release throws, in the first run in Release on 2 cores.
    [Fact]
    public void Enter_Contended_ExcludesOthers()
    {
        const int Threads = 4;
        const int Rounds = 100_000;
        var counter = 0L;
        using var start = new Barrier(Threads);
        var failures = 0;
        var threads = Enumerable.Range(0, Threads).Select(_ => new TestThread(() =>
        {
            start.SignalAndWait();
            try
            {
                for (var i = 0; i < Rounds; i++)
                {
                    _lock.Enter();
                    _lock.Enter();
                    counter++;
                    _lock.Exit();
                    counter++;
                    _lock.Exit();
                }
            }
            catch (SynchronizationLockException)
            {
                Interlocked.Increment(ref failures);
            }
        })).ToList();

        threads.ForEach(static thread => thread.Start());
        threads.ForEach(Wait.ForEnd);

        Assert.Equal(0, failures);
        Assert.Equal(2L * Threads * Rounds, counter);
    }

    private void EnterAndExit()
    {
        _lock.Enter();
        _lock.Exit();
    }
}
