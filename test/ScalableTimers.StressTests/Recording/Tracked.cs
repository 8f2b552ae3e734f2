using System.Diagnostics;

namespace ScalableTimers.StressTests.Recording;

/// <summary>
/// One timer or delay of a service, and how it ended. It is checked after all threads that use it have ended.
/// </summary>
/// <remarks>
/// Times are <see cref="Stopwatch"/> timestamps. The due time counts from just before the call that starts it. The end
/// is the moment when user code begins.
/// </remarks>
internal abstract class Tracked
{
    // Guards
    //   _notBefore         the one thread that asks
    //   _firedAt           the thread that counts the first firing
    //   _fired, _cancelled interlocked
    private long _notBefore;
    private long _firedAt;
    private int _fired;
    private int _cancelled;

    /// <summary>The name of its kind in the soak's table.</summary>
    internal abstract string Kind { get; }

    internal bool HasFired => _fired > 0;

    internal bool IsCancelled => _cancelled > 0;

    /// <summary>Neither fired nor cancelled.</summary>
    internal bool IsOpen => Ends == 0;

    internal int Ends => Volatile.Read(ref _fired) + Volatile.Read(ref _cancelled);

    internal long NotBefore => _notBefore;

    /// <summary>How late it fired, in timestamp units; negative if early.</summary>
    internal long Lateness => _firedAt - _notBefore;

    /// <summary>Returns a description of the fault, or null.</summary>
    /// <param name="mayBeOpen">Whether it may have been dropped.</param>
    internal virtual string? Fault(bool mayBeOpen)
    {
        if (Ends > 1 || (IsOpen && !mayBeOpen))
        {
            return $"fired {_fired} times, cancelled {_cancelled} times";
        }

        return HasFired && Lateness < 0 ? $"fired {StressTime.ToMilliseconds(-Lateness):F4} ms early" : null;
    }

    protected void AskFor(long notBefore) => _notBefore = notBefore;

    /// <returns>True for the first end.</returns>
    protected bool RecordFired(long now)
    {
        if (Interlocked.Increment(ref _fired) != 1)
        {
            return false;
        }

        _firedAt = now;
        return true;
    }

    protected bool RecordCancelled() => Interlocked.Increment(ref _cancelled) == 1;
}
