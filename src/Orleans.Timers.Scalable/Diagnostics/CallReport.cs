namespace Orleans.Timers.Scalable;

/// <summary>What the callee's silo knows of a call. Times are in seconds; null means that it is not known.</summary>
internal sealed record CallReport
{
    /// <summary>Gets why nothing is known; null if something is.</summary>
    public string? Problem { get; init; }

    /// <summary>Gets the silo that reports.</summary>
    public string? Silo { get; init; }

    /// <summary>Gets whether that silo has an activation of the grain.</summary>
    public bool HasActivation { get; init; }

    /// <summary>Gets the state of the activation, as Orleans names it.</summary>
    public string? State { get; init; }

    /// <summary>Gets how long the request has waited in the activation's queue, in which it still is.</summary>
    public double? Waiting { get; init; }

    /// <summary>Gets how many requests wait before it.</summary>
    public int Before { get; init; }

    /// <summary>Gets how long the request has run, which it still does.</summary>
    public double? Running { get; init; }

    /// <summary>Gets how often the request was forwarded from silo to silo.</summary>
    public int? Forwards { get; init; }

    /// <summary>Gets the other request that the activation runs and that keeps others from running.</summary>
    public string? Blocker { get; init; }

    /// <summary>Gets how long that one has run.</summary>
    public double? BlockerRunning { get; init; }

    /// <summary>Gets how long the request ran, which has ended.</summary>
    public double? Ran { get; init; }

    /// <summary>Gets how long ago it ended.</summary>
    public double? Ended { get; init; }

    /// <summary>Gets the long request of the activation that has ended last.</summary>
    public string? Last { get; init; }

    /// <summary>Gets how long that one ran.</summary>
    public double? LastRan { get; init; }

    /// <summary>Gets how long ago it ended.</summary>
    public double? LastEnded { get; init; }

    internal static CallReport UnexpectedVersion =>
        new() { Problem = "This version of Orleans is another than expected." };

    /// <summary>Gets whether the report is about the request itself.</summary>
    internal bool IsFound => Waiting is not null || Running is not null || Ended is not null;
}
