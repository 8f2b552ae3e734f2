using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ScalableTimers.Queues;

/// <summary>A reentrant lock that is taken by one compare-exchange.</summary>
/// <remarks>
/// The lock guards a few dozen nanoseconds of pointer work and is nearly always free. So a thread that waits for it
/// spins, then yields, and never blocks in the kernel. The lock is not fair. Nothing slow may run under it.
/// <para>
/// No code here enters it twice. Its depth costs one comparison, and turns such a mistake into a nested section instead
/// of a thread that spins for good.
/// </para>
/// <para>
/// Finding the current thread's id costs half as much as the compare-exchange, so a caller that knows the id passes it.
/// The lock is a struct, so that it shares a cache line with what it guards. Its field must not be readonly.
/// </para>
/// </remarks>
internal struct ReentrantInterlockedLock
{
    // Guards
    //   _owner   compare-exchange from 0 by the thread that enters; only the owner writes it back to 0
    //   _depth   only the owner reads or writes it
    private int _owner;
    private int _depth;

    // No other thread can write our id, so this read needs no fence.
    internal readonly bool IsHeldByCurrentThread => _owner == Environment.CurrentManagedThreadId;

    internal void Enter() => Enter(Environment.CurrentManagedThreadId);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Enter(int threadId)
    {
        if (Interlocked.CompareExchange(ref _owner, threadId, 0) != 0)
        {
            EnterContended(threadId);
        }
    }

    internal void Exit() => Exit(Environment.CurrentManagedThreadId);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Exit(int threadId)
    {
        if (_owner != threadId)
        {
            ThrowNotHeld();
        }

        if (_depth > 0)
        {
            _depth--;
            return;
        }

        // A release: the thread whose compare-exchange sees the 0 also sees what was written under the lock.
        Volatile.Write(ref _owner, 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnterContended(int threadId)
    {
        if (_owner == threadId)
        {
            _depth++;
            return;
        }

        var spinner = default(SpinWait);
        do
        {
            // Not SpinOnce, once that would yield: it sleeps for no time, which another thread's Interrupt ends with an
            // exception. Whoever enters counts on having entered.
            if (spinner.NextSpinWillYield)
            {
                Thread.Yield();
            }
            else
            {
                spinner.SpinOnce(sleep1Threshold: -1);
            }
        }
        while (Volatile.Read(ref _owner) != 0 || Interlocked.CompareExchange(ref _owner, threadId, 0) != 0);
    }

    [DoesNotReturn]
    private static void ThrowNotHeld() =>
        throw new SynchronizationLockException("The lock is not held by the thread that tries to release it.");
}
