namespace Orleans.Timers.Scalable;

/// <summary>Delays to inject into a grain. They end when the activation deactivates.</summary>
/// <remarks>
/// <para>
/// While a grain awaits an ordinary delay inside a call, its activation cannot deactivate and its silo cannot stop.
/// These delays end as soon as deactivation begins: <see cref="TryDelay"/> with false, <see cref="Delay"/> with an
/// exception. If that exception ends a call, the caller gets a <see cref="SiloUnavailableException"/>, as if the silo
/// had been lost. A delay begun later takes its time, at most a second, and then ends in the same way, so that a loop
/// which catches every exception does not become a hot one.
/// </para>
/// <para>
/// <b>Cost.</b> Constant time and no allocation in a steady state. A <see cref="Delay"/> that is cancelled costs the
/// exception that .NET throws for it. The first delay of an activation allocates a few hundred bytes. If delays keep
/// it alive (<see cref="KeepAlive"/>), it also has a grain timer, whose empty tick comes with the first delay and then
/// twice per collection quantum.
/// </para>
/// <para>
/// <b>Accuracy.</b> Like <see cref="ScalableTimers.TimerService"/>: never early, about one resolution late.
/// </para>
/// <para>
/// <b>Threads.</b> An awaiting grain resumes on its activation's scheduler, as after any <c>await</c>, unless it uses
/// <c>ConfigureAwait(false)</c>. May be called from any thread. Each is of the activation that it was injected into,
/// so a singleton cannot have one.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// while (await delay.TryDelay(TimeSpan.FromSeconds(1)))
/// {
///     await Poll();
/// }
/// </code>
/// </example>
public interface IGrainDelay
{
    /// <summary>
    /// Gets or sets whether delays that begin later keep the activation from being collected as idle.
    /// </summary>
    /// <value>The default is true.</value>
    /// <remarks>
    /// <para>
    /// A delay inside a call does not need this, because the call keeps the activation alive. Orleans does not count a
    /// delay outside calls, for instance in a loop that <c>OnActivateAsync</c> began, as use of the grain. If true, it
    /// counts as use, like the ticks of a grain timer with <c>KeepAlive</c>. The activation's idle time then starts
    /// over, up to half a <c>CollectionQuantum</c> after the last delay has ended. An infinite delay keeps its
    /// activation alive as long as the silo runs.
    /// </para>
    /// <para>
    /// It prevents only idle collection. It does not prevent deactivation by the grain itself or by management,
    /// migration, shedding under memory pressure, the removal of idle stateless workers, or the silo's stop. It leaves
    /// <c>DelayDeactivation</c> to the grain.
    /// </para>
    /// </remarks>
    bool KeepAlive { get; set; }

    /// <summary>Gets a token that is cancelled when deactivation begins.</summary>
    /// <remarks>
    /// A silo that stops first tells the cluster so, and then deactivates its grains.
    /// Pass it to the operations that a call awaits, so that deactivation need not wait for them. Callbacks registered
    /// with it run on the pool, outside the grain. Their exceptions are logged.
    /// </remarks>
    CancellationToken DeactivationToken { get; }

    /// <summary>
    /// Waits for a duration, and reports whether it passed before the activation began to deactivate.
    /// </summary>
    /// <param name="dueTime">
    /// The minimum wait. Zero completes at once. A value that truncates to -1 millisecond waits until cancelled.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// A task to await once. Its result is true when the time has passed, and false when the activation begins to
    /// deactivate or the token is cancelled. For a wait begun during the deactivation it is false.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    ValueTask<bool> TryDelay(TimeSpan dueTime, CancellationToken cancellationToken = default);

    /// <summary>Waits for a duration, or until the activation begins to deactivate.</summary>
    /// <param name="dueTime">
    /// The minimum wait. Zero completes at once. A value that truncates to -1 millisecond waits until cancelled.
    /// </param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>A task that completes when the time has passed. Await it once.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="dueTime"/> is negative and not infinite.
    /// </exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled, or the activation has begun to deactivate. In the second case the exception carries
    /// <see cref="DeactivationToken"/>.
    /// </exception>
    ValueTask Delay(TimeSpan dueTime, CancellationToken cancellationToken = default);

    /// <summary>
    /// Waits for a duration, even while the activation deactivates. For use in <c>OnDeactivateAsync</c>, and in calls
    /// that must finish.
    /// </summary>
    /// <param name="dueTime">
    /// The minimum wait. Zero completes at once. A value that truncates to -1 millisecond waits until cancelled.
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
}
