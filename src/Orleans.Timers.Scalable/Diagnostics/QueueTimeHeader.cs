namespace Orleans.Timers.Scalable;

/// <summary>
/// Carries the mark of a sampled call, by which the callee tells how long the request waited for its turn.
/// </summary>
internal static class QueueTimeHeader
{
    internal const string Key = "orleans.timers.queue";

    internal static void Write(TimeToLiveMark mark)
    {
        if (mark != default)
        {
            RequestContext.Set(Key, mark.Value);
        }
    }

    /// <summary>Takes the mark out of the request context, so that calls of the request do not carry it on.</summary>
    internal static TimeToLiveMark Take()
    {
        if (RequestContext.Get(Key) is not { } value)
        {
            return default;
        }

        RequestContext.Remove(Key);
        return value is int mark ? new TimeToLiveMark(mark) : default;
    }
}
