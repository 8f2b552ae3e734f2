using System.Runtime.InteropServices;
using RealInterlocked = System.Threading.Interlocked;
using RealMonitor = System.Threading.Monitor;

namespace ScalableTimers.Exploration.Engine;

/// <summary>The right to run, which one real thread passes to another. At most one thread has it at a time.</summary>
/// <remarks>
/// Passing it on is most of the cost of an interleaving. So on Linux it takes one system call on either side.
/// </remarks>
internal sealed unsafe class Baton
{
    private const int Away = 0;
    private const int Here = 1;
    private const int AwaitedAsleep = 2;

    // Batons live as long as the process.
    private readonly int* _state = (int*)NativeMemory.AllocZeroed(64);

    internal void Give()
    {
        if (Futex.IsSupported)
        {
            if (RealInterlocked.Exchange(ref *_state, Here) == AwaitedAsleep)
            {
                Futex.WakeOne(_state);
            }

            return;
        }

        lock (this)
        {
            *_state = Here;
            RealMonitor.Pulse(this);
        }
    }

    /// <summary>Waits until the calling thread gets the baton.</summary>
    /// <returns>False if the thread did not get it within that time.</returns>
    internal bool Take(int milliseconds = -1)
    {
        var until = milliseconds < 0 ? long.MaxValue : Environment.TickCount64 + milliseconds;
        if (!Futex.IsSupported)
        {
            return TakeByMonitor(until);
        }

        while (RealInterlocked.CompareExchange(ref *_state, Away, Here) != Here)
        {
            var left = until == long.MaxValue ? long.MaxValue : until - Environment.TickCount64;
            if (left <= 0)
            {
                // The baton may come at this moment.
                return RealInterlocked.Exchange(ref *_state, Away) == Here;
            }

            if (RealInterlocked.CompareExchange(ref *_state, AwaitedAsleep, Away) != Here)
            {
                Futex.Wait(_state, AwaitedAsleep, left);
            }
        }

        return true;
    }

    private bool TakeByMonitor(long until)
    {
        lock (this)
        {
            while (*_state != Here)
            {
                var left = until == long.MaxValue ? -1 : until - Environment.TickCount64;
                if (until != long.MaxValue && left <= 0)
                {
                    return false;
                }

                RealMonitor.Wait(this, (int)left);
            }

            *_state = Away;
            return true;
        }
    }
}
