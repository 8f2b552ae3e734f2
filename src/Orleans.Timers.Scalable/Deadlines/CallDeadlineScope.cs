using System.Diagnostics.CodeAnalysis;
using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable;

/// <summary>
/// A block of code with its own deadline, or with none, from <see cref="CallDeadline.Begin"/> or
/// <see cref="CallDeadline.Suppress"/>.
/// </summary>
/// <remarks>
/// <b>Cost.</b> One small object, and two changes of the execution context. <b>Threads.</b> Dispose it in the method
/// that began it, inner scopes first; <c>using</c> does that. Afterwards it no longer bounds tasks that were started
/// inside and still run.
/// </remarks>
[SuppressMessage(
    "Performance",
    "CA1815:Override equals and operator equals on value types",
    Justification = "Scopes are disposed, not compared.")]
public readonly struct CallDeadlineScope : IDisposable
{
    private readonly FlowingDeadline? _inner;
    private readonly FlowingDeadline? _outer;

    internal CallDeadlineScope(FlowingDeadline? inner, FlowingDeadline? outer)
    {
        _inner = inner;
        _outer = outer;
    }

    /// <summary>Ends the scope.</summary>
    public void Dispose()
    {
        if (ReferenceEquals(_inner, _outer))
        {
            return;
        }

        _inner?.End();
        if (ReferenceEquals(FlowingDeadline.Held, _inner))
        {
            FlowingDeadline.Held = _outer;
        }
    }
}
