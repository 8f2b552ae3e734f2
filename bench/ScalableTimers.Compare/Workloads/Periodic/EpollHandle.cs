using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>A descriptor of epoll, which watches other descriptors.</summary>
[SupportedOSPlatform("linux")]
internal sealed class EpollHandle() : SafeHandleMinusOneIsInvalid(ownsHandle: true)
{
    protected override bool ReleaseHandle() => LinuxTimers.Close(handle) == 0;
}
