namespace ScalableTimers.Timers;

/// <summary>
/// What a delay belongs to besides its caller: a second token that ends it, and somebody who is told of its beginning
/// and end. Called on any thread, under no lock, with one end for each beginning.
/// </summary>
internal abstract class DelayScope
{
    /// <summary>Ends the delays of the scope, but for those with <see cref="DelayOptions.SurvivesStop"/>.</summary>
    internal abstract CancellationToken Token { get; }

    /// <summary>A delay is about to wait.</summary>
    internal abstract void OnBegun();

    /// <summary>The delay has ended; its awaiter has not resumed yet.</summary>
    internal abstract void OnEnded();

    /// <summary>Says why the token has ended a delay; null for the usual message.</summary>
    internal abstract string? Reason();

    /// <summary>The token that ends a delay of a scope, or of none.</summary>
    internal static CancellationToken TokenOf(DelayScope? scope, DelayOptions options) =>
        scope is null || (options & DelayOptions.SurvivesStop) != 0 ? default : scope.Token;
}
