namespace ScalableTimers.Timeouts;

/// <summary>
/// Records when a timeout was the first to need a bucket. Any thread may write; if two threads write at once, one of
/// them counts.
/// </summary>
internal sealed class RecentTimeout(long usedAt)
{
    private long _usedAt = usedAt;
    private bool _isRegular;

    /// <summary>The bucket in which the timeout was last used.</summary>
    internal long UsedAt => Volatile.Read(ref _usedAt);

    /// <summary>Whether the timeout was used in more than one bucket.</summary>
    internal bool IsRegular => Volatile.Read(ref _isRegular);

    /// <returns>Whether this call has made the timeout regular.</returns>
    internal bool Use(long usedAt, long reuseWindow)
    {
        var last = UsedAt;
        if (usedAt <= last)
        {
            return false;
        }

        Volatile.Write(ref _usedAt, usedAt);
        if (IsRegular || usedAt - last > reuseWindow)
        {
            return false;
        }

        Volatile.Write(ref _isRegular, true);
        return true;
    }
}
