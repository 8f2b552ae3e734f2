namespace Orleans.Timers.Scalable;

/// <summary>Delays for grain code, to be injected into a grain. They end when the activation deactivates.</summary>
/// <remarks>
/// <para>
/// While a grain awaits an ordinary delay inside a call, its activation cannot deactivate and its silo cannot stop.
/// These delays are cancelled as soon as deactivation begins, so a loop that retries with a delay ends there. If their
/// exception ends a call, the caller gets a <see cref="SiloUnavailableException"/>, as if the silo had been lost.
/// </para>
/// <para>
/// <b>Cost.</b> Constant time and no allocation in a steady state. A cancelled delay costs the exception that .NET
/// throws for it. An activation whose delays keep it alive (<see cref="KeepAlive"/>) has a grain timer too. Its empty
/// tick comes with the first delay and then twice in each collection quantum.
/// </para>
/// <para>
/// <b>Accuracy.</b> As <see cref="ScalableTimers.TimerService"/>: never early, late by about one resolution.
/// </para>
/// <para>
/// <b>Threads.</b> An awaiting grain resumes on its activation's scheduler, as after any <c>await</c>, unless it uses
/// <c>ConfigureAwait(false)</c>. May be called from any thread.
/// </para>
/// </remarks>
public interface IGrainDelay
{
    /// <summary>
    /// Gets or sets whether the delays and timers that begin from now on keep the activation from being collected as
    /// idle.
    /// </summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// <para>
    /// A delay inside a call does not need this, because the call keeps the activation. To Orleans a delay outside of
    /// calls, in a loop that <c>OnActivateAsync</c> began for instance, is no use of the grain. With true it counts as
    /// use, as the ticks of a grain timer with <c>KeepAlive</c> do. The activation's idle time then begins anew, up to
    /// half a <c>CollectionQuantum</c> after the last delay has ended. An infinite delay keeps its activation as long
    /// as the silo runs.
    /// </para>
    /// <para>
    /// It prevents idle collection only. It does not prevent deactivation by the grain itself or by management,
    /// migration, shedding under memory pressure, the removal of idle stateless workers, or the silo's stop.
    /// <c>DelayDeactivation</c> stays the grain's own.
    /// </para>
    /// </remarks>
    bool KeepAlive { get; set; }

    /// <summary>Gets a token that is cancelled when the activation begins to deactivate or the silo to stop.</summary>
    /// <remarks>
    /// Pass it to the operations that a call awaits, so that deactivation need not wait for them. Callbacks that are
    /// registered with it run on the pool, outside of the grain. Their exceptions are logged.
    /// </remarks>
    CancellationToken DeactivationToken { get; }

    /// <summary>Waits for a duration, or until the activation begins to deactivate.</summary>
    /// <param name="dueTime">
    /// How long, at least. Zero completes at once. A value of -1 whole milliseconds waits until cancelled.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that completes when the time has passed. Await it once.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, the activation has begun to deactivate, or the silo stops. But for the first case the
    /// exception carries <see cref="DeactivationToken"/>.
    /// </exception>
    ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default);

    /// <summary>
    /// Waits for a duration, even while the activation deactivates. For use in <c>OnDeactivateAsync</c>, and in calls
    /// that must be finished.
    /// </summary>
    /// <param name="dueTime">
    /// How long, at least. Zero completes at once. A value of -1 whole milliseconds waits until cancelled.
    /// </param>
    /// <param name="cancellationToken">Ends the wait. In <c>OnDeactivateAsync</c>, pass its token.</param>
    /// <returns>A task that completes when the time has passed. Await it once.</returns>
    /// <remarks>
    /// The delay holds up deactivation, and with it the silo's stop. It ends when the silo's services are disposed.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, or the silo's services were disposed.
    /// </exception>
    ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default);

    /// <summary>Creates a timer that ticks until it is disposed or the activation begins to deactivate.</summary>
    /// <param name="period">
    /// The time between two ticks, and before the first: from 1 millisecond to 4,294,967,294, or infinite.
    /// </param>
    /// <returns>The timer. The loop that uses it disposes it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="period"/> is out of its range.</exception>
    IGrainPeriodicTimer CreatePeriodicTimer(TimeSpan period);
}
