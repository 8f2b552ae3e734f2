namespace ScalableTimers;

/// <summary>Where a <see cref="TimerService"/> that runs on the system clock runs callbacks.</summary>
public enum CallbackThread
{
    /// <summary>On the thread pool, in batches and in no particular order.</summary>
    /// <remarks>A callback that blocks occupies a pool thread and delays no other timer.</remarks>
    ThreadPool,

    /// <summary>On the thread that drives the service. Callbacks there must not block.</summary>
    /// <remarks>
    /// For a process whose timers fire steadily and whose callbacks are short: it saves the wake-ups of pool threads,
    /// which can be half the cost of firing. While a callback blocks, or computes for long, no other timer of the
    /// service fires. A callback that takes 100 milliseconds or longer is named in a warning when it has returned. When
    /// a delay is awaited with <c>ConfigureAwait(false)</c> or without a context, the code after it runs here too, up
    /// to its next await.
    /// </remarks>
    DriverThread,
}
