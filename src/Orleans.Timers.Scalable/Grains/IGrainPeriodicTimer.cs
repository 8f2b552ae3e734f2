namespace Orleans.Timers.Scalable;

/// <summary>
/// A <see cref="PeriodicTimer"/> for a loop in a grain. Its ticks end when the activation deactivates.
/// </summary>
/// <remarks>
/// <para>
/// The loop does its work between two waits, so ticks never overlap. Ticks that come during the work are merged into
/// one. The work runs in turns of the activation, like all its code. It belongs to no call, so calls may interleave at
/// its <c>await</c>s, even if the grain is not reentrant. If they must not, register a grain timer.
/// </para>
/// <para>
/// <b>Cost.</b> A tick allocates nothing in a steady state, except for what Orleans allocates for any <c>await</c>.
/// </para>
/// <para>
/// <b>Accuracy.</b> Like <see cref="ScalableTimers.TimerService"/>: never early, about one resolution late. Periods do
/// not drift, because each is counted from the previous one, not from the work.
/// </para>
/// <para><b>Order.</b> Once deactivation has begun, no more ticks come, even if one was due.</para>
/// <para>
/// <b>Threads.</b> Only one wait at a time. An awaiting grain resumes on its activation's scheduler, as after any
/// <c>await</c>. All other members may be called from any thread.
/// </para>
/// </remarks>
public interface IGrainPeriodicTimer : IDisposable
{
    /// <summary>Gets or sets the time between two ticks. Setting it begins a new period.</summary>
    /// <value>From 1 to 4,294,967,294 milliseconds, or infinite.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is out of range.</exception>
    TimeSpan Period { get; set; }

    /// <summary>Waits for the next tick, or until the activation begins to deactivate.</summary>
    /// <param name="cancellationToken">Ends this wait; the timer continues.</param>
    /// <returns>
    /// A task to await once. Its result is true for a tick, and false if the activation deactivates or the timer has
    /// been disposed.
    /// </returns>
    /// <exception cref="InvalidOperationException">Another wait is pending.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    ValueTask<bool> WaitForNextTickAsync(CancellationToken cancellationToken = default);
}
