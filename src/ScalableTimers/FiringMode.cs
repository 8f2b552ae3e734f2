namespace ScalableTimers;

/// <summary>Where a <see cref="TimerService"/> fires expired timers.</summary>
public enum FiringMode
{
    /// <summary><see cref="ThreadPool"/> with the system clock, <see cref="InOrder"/> with any other clock.</summary>
    Auto,

    /// <summary>On the thread pool, in batches and in no particular order.</summary>
    /// <remarks>A callback that blocks occupies a pool thread and delays no other timer.</remarks>
    ThreadPool,

    /// <summary>
    /// On the driver's own thread. Requires the system clock, and <see cref="TimerDriverKind.Auto"/> or
    /// <see cref="TimerDriverKind.Thread"/>.
    /// </summary>
    /// <remarks>
    /// <para>
    /// <b>Who should use it.</b> A process whose timers fire steadily and whose callbacks are short and do not block,
    /// or that awaits delays and does little before it awaits the next one. Handing work to the pool wakes pool
    /// threads, which spin before they sleep again. That can be half the cost of firing, and firing on the driver's
    /// thread avoids it. A process that does anything long or blocking when a timer fires gains nothing.
    /// </para>
    /// <para>
    /// <b>Cost.</b> A second thread. While timers fire it checks the first thread some 25 times a second at the default
    /// resolution; otherwise it sleeps. Callbacks that are due together run one after the other and use one processor.
    /// The pool helps only while the driver is more than a tick behind, or while a batch of callbacks takes several
    /// ticks.
    /// </para>
    /// <para>
    /// <b>Accuracy.</b> A callback that blocks, or computes for long, delays the others by up to 5 times
    /// <see cref="ScalableTimerOptions.Resolution"/>. Then the second thread takes over as the driver, and everything
    /// fires on the pool until that callback has returned.
    /// </para>
    /// <para>
    /// <b>Threads.</b> Callbacks run on a background thread of the service that is not a pool thread:
    /// <see cref="Thread.IsThreadPoolThread"/> is false. When a delay is awaited with <c>ConfigureAwait(false)</c> or
    /// without a context, the code after it also runs there, up to its next await. Callbacks may do everything that
    /// they may do on the pool, including disposing the service. The thread's priority and
    /// <see cref="Thread.IsBackground"/> are restored after each batch.
    /// </para>
    /// </remarks>
    DriverThread,

    /// <summary>
    /// One by one inside the clock's own timer callback, in deadline order and then in scheduling order. Requires a
    /// clock other than the system's.
    /// </summary>
    /// <remarks>
    /// When the clock's advance returns, everything due has run, so tests are exact. A callback that blocks also blocks
    /// the clock and all timers behind it. This holds while only one thread advances the clock. If several threads
    /// advance it at once, or if the clock runs its timer callbacks on several threads, each of these callbacks fires
    /// the due timers it finds, concurrently with the others.
    /// </remarks>
    InOrder,
}
