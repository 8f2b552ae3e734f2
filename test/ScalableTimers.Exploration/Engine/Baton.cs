using System.Runtime.InteropServices;
using RealVolatile = System.Threading.Volatile;
using RealInterlocked = System.Threading.Interlocked;

namespace ScalableTimers.Exploration.Engine;

/// <summary>The right to run, which one real thread passes to another. At most one thread has it at a time.</summary>
/// <remarks>
/// Passing it on is most of an interleaving's cost, so on Linux it takes one system call on each side.
/// </remarks>
#pragma warning disable CA1001 // Batons live as long as the process.
internal sealed unsafe class Baton
#pragma warning restore CA1001
{
    private const int Away = 0;
    private const int Here = 1;

    private readonly int* _state = (int*)NativeMemory.AllocZeroed(64);
    private readonly SemaphoreSlim _semaphore = new(0);

    internal void Give()
    {
        if (!Futex.IsSupported)
        {
            _semaphore.Release();
            return;
        }

        RealVolatile.Write(ref *_state, Here);
        Futex.WakeOne(_state);
    }

    /// <summary>Waits until the calling thread gets the baton.</summary>
    /// <returns>False if the thread did not get it in time.</returns>
    internal bool Take(int milliseconds = -1)
    {
        if (!Futex.IsSupported)
        {
            return _semaphore.Wait(milliseconds);
        }

        var until = milliseconds < 0 ? long.MaxValue : System.Environment.TickCount64 + milliseconds;
        while (RealInterlocked.Exchange(ref *_state, Away) != Here)
        {
            var left = until == long.MaxValue ? long.MaxValue : until - System.Environment.TickCount64;
            if (left <= 0)
            {
                return false;
            }

            Futex.Wait(_state, Away, left);
        }

        return true;
    }
}
