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

    private void EnterAndExit()
    {
        _lock.Enter();
        _lock.Exit();
    }
}
