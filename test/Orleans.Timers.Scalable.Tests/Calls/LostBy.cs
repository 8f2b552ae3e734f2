namespace Orleans.Timers.Scalable.Tests;

/// <summary>The way in which a call inside a transaction fails for the method that made it.</summary>
public enum LostBy
{
    NotAwaited,
    NotAwaitedWithTimeout,

    /// <summary>The call has not been made when the method ends, because another filter delays it.</summary>
    NotAwaitedAndHeldUp,

    CallersToken,
    ResponseTimeout,
}
