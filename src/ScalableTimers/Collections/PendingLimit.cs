namespace ScalableTimers.Collections;

/// <summary>Refuses timers while too many are pending in all collections of a service together.</summary>
/// <remarks>
/// <para>
/// An exact limit would need a count that all threads write for each timer. Instead a thread counts the timers of all
/// collections every <see cref="TimerCollection.TimersPerLook"/> timers, and goes on without counting if that many
/// places are left for each collection. Otherwise it counts at each timer.
/// </para>
/// <para>
/// So a thread that has counted may schedule that many timers before it learns that others have taken the places
/// meanwhile. That bounds by how much the limit is exceeded.
/// </para>
/// </remarks>
internal sealed class PendingLimit(long most, string service)
{
    // Guards
    //   _refused   interlocked
    private long _refused;

    internal long Refused => Volatile.Read(ref _refused);

    /// <summary>Counts the pending timers, for a thread that is about to schedule one and holds no lock.</summary>
    /// <returns>Whether the thread must ask again for its next timer.</returns>
    /// <exception cref="TooManyTimersException">No place is left.</exception>
    internal bool Admit(TimerCollection[] all)
    {
        var pending = 0L;
        foreach (var collection in all)
        {
            pending += collection.Count().Pending;
        }

        if (pending >= most)
        {
            Interlocked.Increment(ref _refused);
            throw new TooManyTimersException(service, pending, most);
        }

        return most - pending <= (long)TimerCollection.TimersPerLook * all.Length;
    }
}
