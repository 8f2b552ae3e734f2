using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>A timer of the operating system: a descriptor of timerfd.</summary>
/// <remarks>Its callback runs on the pool, and concurrently with itself, as with .NET's timers.</remarks>
[SupportedOSPlatform("linux")]
internal sealed class OsTimer() : SafeHandleMinusOneIsInvalid(ownsHandle: true), IThreadPoolWorkItem
{
    private OsTimers? _owner;
    private int _id;
    private TimerCallback? _callback;
    private object? _state;

    public void Execute() => _callback!(_state);

    internal void Attach(OsTimers owner, int id, TimerCallback callback, object? state) =>
        (_owner, _id, _callback, _state) = (owner, id, callback, state);

    protected override bool ReleaseHandle() => LinuxTimers.Close(handle) == 0;

    protected override void Dispose(bool disposing)
    {
        _owner?.Forget(_id);
        base.Dispose(disposing);
    }
}
