namespace Orleans.Timers.Scalable;

/// <summary>The outcomes of calls that were not answered within a timeout chosen at run time.</summary>
public readonly record struct CallTimeoutSnapshot
{
    /// <summary>
    /// Gets the number of calls that timed out. A call that is bounded again after it timed out counts once.
    /// </summary>
    public long TimedOut { get; init; }

    /// <summary>Gets the number of those calls that were cancelled and ended because of it.</summary>
    public long Cancelled { get; init; }

    /// <summary>
    /// Gets the number of those calls that ended later by themselves: by an answer, an error, or Orleans' own response
    /// timeout.
    /// </summary>
    public long AnsweredLate { get; init; }

    /// <summary>
    /// Gets the number of those calls that have not ended. Orleans keeps each in its table, until its own response
    /// timeout at the latest.
    /// </summary>
    public long Abandoned => TimedOut - Cancelled - AnsweredLate;
}
