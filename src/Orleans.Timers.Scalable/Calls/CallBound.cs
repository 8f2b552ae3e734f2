namespace Orleans.Timers.Scalable.Calls;

/// <summary>A bound that a scope or a request sets on the calls in it, and the bound around it.</summary>
/// <remarks>
/// A library may start a loop inside of a scope or a request, to serve many requests. Such a loop keeps the execution
/// context for good. So a bound has an end, and from then on it does not count wherever it was captured.
/// </remarks>
/// <typeparam name="T">The class that derives from this one.</typeparam>
internal abstract class CallBound<T>
    where T : CallBound<T>
{
    private T? _outer;
    private volatile bool _isOver;

    /// <param name="outer">The bound around this one; null if there is none.</param>
    protected CallBound(T? outer) => _outer = Live(outer);

    /// <summary>Gets the next bound around this one that still counts. Those that have ended are released.</summary>
    internal T? Outer => _outer is { IsOver: true } over ? _outer = Live(over) : _outer;

    private bool IsOver => _isOver;

    /// <summary>Returns the bound, or the first one around it that still counts.</summary>
    internal static T? Live(T? bound)
    {
        while (bound is { IsOver: true })
        {
            bound = bound._outer;
        }

        return bound;
    }

    /// <summary>Ends the bound. It does not count any more, wherever it was captured.</summary>
    internal void End()
    {
        _isOver = true;

        // A loop may begin the scope of each round before it ends the scope of the round before. Then each bound keeps
        // the one before it alive. So the bounds around this one that have ended are released now, and a chain holds
        // only bounds that were in force at the same time.
        _outer = Live(_outer);
    }
}
