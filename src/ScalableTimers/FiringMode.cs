namespace ScalableTimers;

/// <summary>Where a <see cref="TimerService"/> runs what has expired.</summary>
public enum FiringMode
{
    /// <summary><see cref="ThreadPool"/> with the system clock, <see cref="InOrder"/> with any other.</summary>
    Auto,

    /// <summary>On the thread pool, in batches and in no particular order.</summary>
    /// <remarks>A callback that blocks occupies a thread of the pool and holds up no other timer.</remarks>
    ThreadPool,

    /// <summary>
    /// On the driver's own thread. Needs the system clock, and <see cref="TimerDriverKind.Auto"/> or
    /// <see cref="TimerDriverKind.Thread"/>.
    /// </summary>
    /// <remarks>
    /// <para>
    /// <b>Who should use it.</b> A process that fires steadily, whose callbacks are short and do not block, or that
    /// awaits delays and does little before it awaits again. Handing work to the pool wakes pool threads, which spin
    /// before they sleep again. That can be half of what firing costs, and on the driver's thread it falls away. A
    /// process that does anything long or blocking when a timer fires gains nothing.
    /// </para>
    /// <para>
    /// <b>Cost.</b> A second thread. It watches the first while timers fire, some 25 times a second at the default
    /// resolution, and sleeps otherwise. Callbacks that are due together run one after the other and use one processor.
    /// Only while the driver is more than a tick behind, or a batch of them takes several ticks, does the pool help.
    /// </para>
    /// <para>
    /// <b>Accuracy.</b> A callback that blocks, or computes for long, delays the others by up to 5 times
    /// <see cref="ScalableTimerOptions.Resolution"/>. Then the second thread takes over, and everything fires on the
    /// pool until that callback has returned.
    /// </para>
    /// <para>
    /// <b>Threads.</b> Callbacks run on a background thread of the service that is no thread of the pool:
    /// <see cref="Thread.IsThreadPoolThread"/> is false. So does what follows a delay that is awaited with
    /// <c>ConfigureAwait(false)</c> or without a context, up to its next await. They may do what callbacks may do on
    /// the pool, disposing the service included. Priority and <see cref="Thread.IsBackground"/> of the thread are put
    /// back after each batch.
    /// </para>
    /// </remarks>
    DriverThread,

    /// <summary>
    /// One by one inside the clock's own timer callback, in deadline order and then in scheduling order. Needs a clock
    /// other than the system's.
    /// </summary>
    /// <remarks>
    /// When the clock's advance returns, everything due has run, so tests are exact. A callback that blocks holds up
    /// the clock and all timers behind it. That is true of one thread: where several advance the clock at once, or the
    /// clock's own timers ring on several threads, each ring fires what it finds, beside the others.
    /// </remarks>
    InOrder,
}
