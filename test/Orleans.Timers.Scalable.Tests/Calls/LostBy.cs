namespace Orleans.Timers.Scalable.Tests;

/// <summary>By what a call inside a transaction comes to nothing for the method that made it.</summary>
public enum LostBy
{
    NotAwaited,
    NotAwaitedWithTimeout,

    /// <summary>It has not been made when the method ends: another filter holds it up.</summary>
    NotAwaitedAndHeldUp,

    CallersToken,
    ResponseTimeout,
}
