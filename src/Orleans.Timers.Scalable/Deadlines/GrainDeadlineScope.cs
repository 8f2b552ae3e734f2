using System.Diagnostics.CodeAnalysis;
using Orleans.Timers.Scalable.Deadlines;

namespace Orleans.Timers.Scalable;

/// <summary>
/// A block of code with its own deadline, or with none, from <see cref="GrainDeadline.Begin"/> or
/// <see cref="GrainDeadline.Suppress"/>.
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
public readonly struct GrainDeadlineScope : IDisposable
{
    private readonly CallDeadline? _inner;
    private readonly CallDeadline? _outer;

    internal GrainDeadlineScope(CallDeadline? inner, CallDeadline? outer)
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
        if (ReferenceEquals(CallDeadline.Held, _inner))
        {
            CallDeadline.Held = _outer;
        }
    }
}
