namespace Orleans.Timers.Scalable;

/// <summary>Delays for grain code, to be injected into a grain. They end when the activation deactivates.</summary>
/// <remarks>
/// <para>
/// While a grain awaits an ordinary delay inside a call, its activation cannot deactivate and its silo cannot stop. These delays are
/// cancelled as soon as deactivation begins, so a loop that retries with a delay ends there.
/// </para>
/// <para>
/// <b>Cost.</b> Constant time, no allocation in a steady state; the exception of a cancelled delay is .NET's price for it. An
/// activation with delays that are kept alive (<see cref="KeepAlive"/>) has a grain timer too, whose empty tick comes once with
/// the first delay and then twice a collection quantum.
/// </para>
/// <para><b>Accuracy.</b> As <see cref="ScalableTimers.TimerService"/>: never early, late by about one resolution.</para>
/// <para><b>Order.</b> Delays that end in the same tick resume in the order in which the activation's scheduler gets them.</para>
/// <para>
/// <b>Threads.</b> An awaiting grain resumes on its activation's scheduler, as after any <c>await</c>, unless it asks otherwise by
/// <c>ConfigureAwait(false)</c>. May be called from any thread.
/// </para>
/// </remarks>
public interface IGrainDelay
{
    /// <summary>Gets or sets whether the activation is kept from being collected as idle while it awaits what is begun here from now on.</summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// <para>
    /// A delay inside a call needs none of it: the call keeps the activation. One that is awaited outside of calls, by a loop that
    /// <c>OnActivateAsync</c> began for instance, does not count as use to Orleans. With true it does, as the ticks of a grain timer with
    /// <c>KeepAlive</c> do, and the activation's age begins anew, up to half a <c>CollectionQuantum</c> after the last delay ended.
    /// An infinite delay then keeps its activation as long as the silo runs.
    /// </para>
    /// <para>
    /// What is not idle collection goes on: deactivation by the grain itself or by management, migration, shedding under memory
    /// pressure, the removal of idle stateless workers, and the silo's stop. <c>DelayDeactivation</c> stays the grain's own.
    /// </para>
    /// </remarks>
    bool KeepAlive { get; set; }

    /// <summary>Gets a token that is cancelled as soon as the activation begins to deactivate.</summary>
    /// <remarks>
    /// Pass it to whatever a call awaits, so that deactivation has not to wait for it. What is registered with it runs on the pool,
    /// outside of the grain; an exception of it is logged.
    /// </remarks>
    CancellationToken DeactivationToken { get; }

    /// <summary>Waits for a duration, or until the activation begins to deactivate.</summary>
    /// <param name="dueTime">How long, at least. Zero is over at once; whole milliseconds of -1 wait until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task to be awaited once, that completes when the time has passed.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="dueTime"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, the activation deactivates or has begun to, or the silo stops. In the second case it carries <see cref="DeactivationToken"/>.
    /// </exception>
    ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default);

    /// <summary>Waits for a duration also while the activation deactivates; for <c>OnDeactivateAsync</c>.</summary>
    /// <param name="dueTime">How long, at least. Zero is over at once; whole milliseconds of -1 wait until cancelled.</param>
    /// <param name="cancellationToken">Ends the wait. Pass the one that <c>OnDeactivateAsync</c> was given.</param>
    /// <returns>A task to be awaited once, that completes when the time has passed.</returns>
    /// <remarks>It holds deactivation up, and with it the silo's stop. It ends when the silo's services are disposed.</remarks>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="dueTime"/> is negative and not infinite.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled, or the silo's services were disposed.</exception>
    ValueTask DelayIgnoringDeactivation(TimeSpan dueTime, CancellationToken cancellationToken = default);

    /// <summary>Creates a timer that ticks until it is disposed or the activation begins to deactivate.</summary>
    /// <param name="period">The time between two ticks, and before the first: from 1 millisecond to 4,294,967,294, or infinite.</param>
    /// <returns>The timer, to be disposed by the loop that uses it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="period"/> is out of its range.</exception>
    IGrainPeriodicTimer CreatePeriodicTimer(TimeSpan period);
}
