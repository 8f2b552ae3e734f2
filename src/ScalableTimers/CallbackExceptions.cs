namespace ScalableTimers;

/// <summary>What happens to an exception that a callback throws.</summary>
public enum CallbackExceptions
{
    /// <summary>It is not handled, as with .NET's timers: it ends the process.</summary>
    /// <remarks>
    /// Unless the program has set an <see cref="System.Runtime.ExceptionServices.ExceptionHandling"/> handler that
    /// handles it; then the service goes on. In virtual time it reaches the code that advances the clock.
    /// </remarks>
    Throw,

    /// <summary>It is logged as an error. Other timers are not affected.</summary>
    Log,
}
