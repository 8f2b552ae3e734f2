namespace Orleans.Timers.Scalable.Calls;

/// <summary>A bound that a scope or request sets on its calls, linked to the outer bound.</summary>
/// <remarks>
/// A library may start a loop inside a scope or request, to serve many requests. The loop keeps the execution context
/// for good. So a bound has an end, after which it no longer applies, wherever it was captured.
/// </remarks>
/// <typeparam name="T">The class that derives from this one.</typeparam>
internal abstract class FlowingLimit<T>
    where T : FlowingLimit<T>
{
    private T? _outer;
    private volatile bool _isOver;

    /// <param name="outer">The outer bound, or null.</param>
    protected FlowingLimit(T? outer) => _outer = Live(outer);

    /// <summary>Gets the nearest outer bound that still applies, and releases those that have ended.</summary>
    internal T? Outer => _outer is { IsOver: true } over ? _outer = Live(over) : _outer;

    private bool IsOver => _isOver;

    /// <summary>Returns the bound if it still applies, otherwise the nearest outer one that does.</summary>
    internal static T? Live(T? bound)
    {
        while (bound is { IsOver: true })
        {
            bound = bound._outer;
        }

        return bound;
    }

    /// <summary>Ends the bound, so that it no longer applies, wherever it was captured.</summary>
    internal void End()
    {
        _isOver = true;

        // A loop may begin the scope of each round before it ends the previous round's. Each bound would then keep the
        // previous one alive. So release outer bounds that have ended: a chain holds only bounds that were in force at
        // the same time.
        _outer = Live(_outer);
    }
}
