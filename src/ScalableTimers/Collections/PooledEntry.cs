namespace ScalableTimers.Collections;

/// <summary>
/// An entry that is used again for one life after another: the common part of a scheduled callback and a delay.
/// </summary>
internal abstract class PooledEntry(TimerCollection collection) : CollectionEntry(collection)
{
    /// <summary>
    /// Decides who ends the present life. It is a field, because the struct's methods change it in place.
    /// </summary>
    private protected EntryState State;
}
