namespace Orleans.Timers.Scalable;

/// <summary>What a scope, or a request, says of the calls in it, with what is held around it.</summary>
/// <remarks>
/// A loop that some library starts inside of one, to serve many requests, keeps the execution context for good. So a
/// bound counts until it has been ended, wherever it has been captured.
/// </remarks>
/// <typeparam name="T">The class that derives from this one.</typeparam>
internal abstract class CallBound<T>
    where T : CallBound<T>
{
    private T? _outer;
    private volatile bool _isOver;

    /// <param name="outer">What is held around it.</param>
    protected CallBound(T? outer) => _outer = Live(outer);

    /// <summary>Gets the next bound around it that still counts. Others are let go.</summary>
    internal T? Outer => _outer is { IsOver: true } over ? _outer = Live(over) : _outer;

    private bool IsOver => _isOver;

    /// <summary>The bound, or the first around it that still counts.</summary>
    internal static T? Live(T? bound)
    {
        while (bound is { IsOver: true })
        {
            bound = bound._outer;
        }

        return bound;
    }

    /// <summary>From now on it bounds nobody, wherever it has been captured.</summary>
    internal void End()
    {
        _isOver = true;

        // Where each round of a loop begins inside of the scope of the round before, that one ends only afterwards, and is kept by the next. So what has
        // ended around it goes now. What is left of a chain are bounds that were all in force at the same time.
        _outer = Live(_outer);
    }
}
