using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace ScalableTimers.Timers;

/// <summary>Reads from outside what awaits a delay, so that delays need no field for it.</summary>
/// <remarks>
/// The fields are .NET's own and may have other names in a later version. Then awaiters are not known. A test fails.
/// </remarks>
internal static class DelayAwaiter
{
    /// <summary>Whether this version of .NET has the fields.</summary>
    internal static bool IsKnown { get; } = Probe();

    /// <summary>The state of the continuation; null if there is none yet.</summary>
    /// <remarks>
    /// It is set once in a life and cleared after it. Called under the collection's lock, so that no other life begins.
    /// A thread that does not see it yet lists the delay without what awaits it.
    /// </remarks>
    internal static object? Read(ref ManualResetValueTaskSourceCore<bool> core) =>
        IsKnown ? ContinuationState(ref core) : null;

    private static bool Probe()
    {
        try
        {
            var core = default(ManualResetValueTaskSourceCore<bool>);
            return ContinuationState(ref core) is null;
        }
        catch (MissingFieldException)
        {
            return false;
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_continuationState")]
    private static extern ref object? ContinuationState(ref ManualResetValueTaskSourceCore<bool> core);
}
