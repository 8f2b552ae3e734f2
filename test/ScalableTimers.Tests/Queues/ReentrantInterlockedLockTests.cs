using ScalableTimers.Queues;

namespace ScalableTimers.Tests.Queues;

public class ReentrantInterlockedLockTests
{
    private ReentrantInterlockedLock _lock;

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

    // Seen to fail with a lock that called SpinOnce until it was free: the waiting thread threw.
    [Fact]
    public void Enter_WaitingThreadIsInterrupted_EntersAndStaysInterrupted()
    {
        var waiting = new TestThread(() =>
        {
            Thread.CurrentThread.Interrupt();
            EnterAndExit();
            using var never = new ManualResetEvent(initialState: false);
            Assert.Throws<ThreadInterruptedException>(() => never.WaitOne());
        });
        _lock.Enter();
        waiting.Start();

        // Long enough for the thread to spin, and then to yield.
        for (var i = 0; i < 100_000; i++)
        {
            Thread.Yield();
        }

        _lock.Exit();
        waiting.End();
    }

    private void EnterAndExit()
    {
        _lock.Enter();
        _lock.Exit();
    }
}
