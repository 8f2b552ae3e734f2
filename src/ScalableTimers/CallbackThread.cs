namespace ScalableTimers;

/// <summary>Where a <see cref="TimerService"/> on the system clock runs its callbacks.</summary>
public enum CallbackThread
{
    /// <summary>On the thread pool, in batches and in no particular order.</summary>
    /// <remarks>A blocking callback ties up one pool thread but delays no other timer.</remarks>
    ThreadPool,

    /// <summary>
    /// On the thread that drives the service, the callbacks of <c>Schedule</c> and <c>CreatePeriodicTimer</c>. They
    /// must not block.
    /// </summary>
    /// <remarks>
    /// Suits processes whose timers fire steadily and run short callbacks: no pool threads need to be woken, which can
    /// be half the cost of firing. While a callback blocks, or computes for long, no other timer of the service fires.
    /// When a callback takes 100 milliseconds or longer, a warning names it once it has returned. Code after a wait (a
    /// delay, a timer of the time provider, a timeout's token) runs on the pool, where it may block.
    /// </remarks>
    DriverThread,
}
