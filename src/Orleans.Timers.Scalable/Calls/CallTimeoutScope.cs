using System.Diagnostics.CodeAnalysis;
using Orleans.Timers.Scalable.Calls;

namespace Orleans.Timers.Scalable;

/// <summary>A block of code whose calls are bounded; see <see cref="CallTimeout.Begin"/>.</summary>
/// <remarks>
/// <b>Threads.</b> Dispose it in the method that began it, inner scopes first; <c>using</c> does that.
/// </remarks>
[SuppressMessage(
    "Performance",
    "CA1815:Override equals and operator equals on value types",
    Justification = "Scopes are disposed, not compared.")]
public readonly struct CallTimeoutScope : IDisposable
{
    private readonly FlowingTimeout? _bound;

    internal CallTimeoutScope(FlowingTimeout bound) => _bound = bound;

    /// <summary>Restores the timeout that applied before the scope began.</summary>
    public void Dispose()
    {
        if (_bound is not null)
        {
            CallTimeout.End(_bound);
        }
    }
}
