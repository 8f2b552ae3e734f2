namespace ScalableTimers.Collections;

/// <summary>An entry that lives again and again: what a scheduled callback and a delay share.</summary>
internal abstract class PooledEntry(TimerCollection collection) : CollectionEntry(collection)
{
    /// <summary>Who may end the present life. A field, because a struct's methods change it in place.</summary>
    private protected EntryState State;
}
