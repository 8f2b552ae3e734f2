namespace Orleans.Timers.Scalable;

/// <summary>Delays for grain code, to be injected into a grain. They end when the activation deactivates.</summary>
/// <remarks>
/// <para>
/// While a grain awaits an ordinary delay inside a call, its activation cannot deactivate and its silo cannot stop. These delays are
/// cancelled as soon as deactivation begins, so a loop that retries with a delay ends there.
/// </para>
/// <para><b>Cost.</b> Constant time, no allocation in a steady state; the exception of a cancelled delay is .NET's price for it.</para>
/// <para><b>Accuracy.</b> As <see cref="ScalableTimers.TimerService"/>: never early, late by about one resolution.</para>
/// <para><b>Order.</b> Delays that end in the same tick resume in the order in which the activation's scheduler gets them.</para>
/// <para>
/// <b>Threads.</b> An awaiting grain resumes on its activation's scheduler, as after any <c>await</c>, unless it asks otherwise by
/// <c>ConfigureAwait(false)</c>. May be called from any thread.
/// </para>
/// </remarks>
public interface IGrainDelay
{
    /// <summary>Waits for a duration, or until the activation begins to deactivate.</summary>
    /// <param name="dueTime">How long, at least. Zero is over at once; whole milliseconds of -1 wait until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task to be awaited once, that completes when the time has passed.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="dueTime"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, the activation deactivates or has begun to, or the silo stops.</exception>
    ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default);

    /// <summary>Waits for a duration also while the activation deactivates; for <c>OnDeactivateAsync</c>.</summary>
    /// <param name="dueTime">How long, at least. Zero is over at once; whole milliseconds of -1 wait until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait. Pass the one that <c>OnDeactivateAsync</c> was given.</param>
    /// <returns>A task to be awaited once, that completes when the time has passed.</returns>
    /// <remarks>It holds deactivation up, and with it the silo's stop. It ends when the silo's services are disposed.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="dueTime"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, or the silo's services were disposed.</exception>
    ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default);
}
