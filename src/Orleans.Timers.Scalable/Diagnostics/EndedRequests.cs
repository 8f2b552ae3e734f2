namespace Orleans.Timers.Scalable;

/// <summary>The last requests of a silo that ran long. All others are forgotten when they end.</summary>
/// <remarks>
/// <b>Cost.</b> One object for each such request, and a fixed number of places. <b>Threads.</b> Any may call. The one
/// that writes takes a place that no other thread gets before all others have been taken.
/// </remarks>
internal sealed class EndedRequests
{
    /// <summary>Requests that end sooner are no reason for a timeout, and most requests do.</summary>
    internal static readonly TimeSpan Long = TimeSpan.FromMilliseconds(50);

    internal const int Places = 1024;

    private readonly EndedRequest?[] _last = new EndedRequest?[Places];
    private int _count;

    internal void Add(EndedRequest ended) =>
        Volatile.Write(ref _last[(uint)Interlocked.Increment(ref _count) % Places], ended);

    /// <summary>Returns a request that has ended; null if it was short or is forgotten.</summary>
    internal EndedRequest? Find(GrainId target, string sender, string id)
    {
        foreach (var ended in _last)
        {
            if (ended is not null && ended.Id == id && ended.Target.Equals(target) && ended.Sender == sender)
            {
                return ended;
            }
        }

        return null;
    }

    /// <summary>Returns the request of a grain that ended last; null if there is none.</summary>
    /// <param name="target">The grain.</param>
    /// <param name="except">The number of a request that does not count.</param>
    internal EndedRequest? Last(GrainId target, string? except)
    {
        EndedRequest? last = null;
        foreach (var ended in _last)
        {
            if (ended is not null && ended.Target.Equals(target) && ended.Id != except && !(last?.End > ended.End))
            {
                last = ended;
            }
        }

        return last;
    }
}
