namespace ScalableTimers.Exploration.Engine;

/// <summary>What an operation does to shared memory, or to threads.</summary>
internal enum OperationKind
{
    Read,
    Write,
    CompareExchange,
    Exchange,
    Add,
    Fence,
    EnterLock,
    ExitLock,
    Set,
    Wait,
    Spin,
    Queue,
    Collection,
    StartThread,
    DisposeRegistration,
    Point,

    /// <summary>A call that enters one of the core's own locks. It consists of other operations.</summary>
    EnterCoreLock,
}
