using System.Diagnostics;
using System.Numerics;
using System.Runtime.CompilerServices;
using RealThread = System.Threading.Thread;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Keeps all threads of the process on one processor.</summary>
/// <remarks>
/// Only one of them runs at a time. Waking a thread on another processor takes longer than switching to it on the same
/// one, and that is most of an interleaving's cost.
/// </remarks>
internal static class OneProcessor
{
    // Linux sets it for the calling thread. So it is set before other threads exist, which inherit it.
    [ModuleInitializer]
    internal static void Stay()
    {
        var here = RealThread.GetCurrentProcessorId();
        if ((OperatingSystem.IsLinux() || OperatingSystem.IsWindows()) && here < BitOperations.Log2(nuint.MaxValue))
        {
            using var process = Process.GetCurrentProcess();
            process.ProcessorAffinity = (nint)1 << here;
        }
    }
}
