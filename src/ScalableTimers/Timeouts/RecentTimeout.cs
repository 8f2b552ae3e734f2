namespace ScalableTimers.Timeouts;

/// <summary>
/// When a timeout was the first to need a bucket. Any thread may write; of two that do at once one counts.
/// </summary>
internal sealed class RecentTimeout(long usedAt)
{
    private long _usedAt = usedAt;
    private bool _isRegular;

    /// <summary>The bucket in which it was last used.</summary>
    internal long UsedAt => Volatile.Read(ref _usedAt);

    /// <summary>Whether it was used in more than one bucket.</summary>
    internal bool IsRegular => Volatile.Read(ref _isRegular);

    /// <returns>Whether it has become regular just now.</returns>
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
