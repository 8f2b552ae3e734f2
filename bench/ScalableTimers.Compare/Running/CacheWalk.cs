using System.Runtime.CompilerServices;

namespace ScalableTimers.Compare.Running;

/// <summary>
/// The work that a server does between two bursts of timers, as the caches of the processor see it: it reads memory,
/// and so replaces what the last burst left there.
/// </summary>
internal sealed class CacheWalk(int megabytes)
{
    private const int CacheLine = 64;

    // Written once. Memory that was never written is one page of zeros to the kernel, and so is not read at all.
    private readonly byte[] _memory = Filled(megabytes * 1024 * 1024);

    /// <summary>Returns the sum of what was read, so that reading cannot be left out.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal int Run()
    {
        var sum = 0;
        for (var i = 0; i < _memory.Length; i += CacheLine)
        {
            sum += _memory[i];
        }

        return sum;
    }

    private static byte[] Filled(int length)
    {
        var memory = new byte[length];
        Array.Fill(memory, (byte)1);
        return memory;
    }
}
