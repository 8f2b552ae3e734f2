namespace Orleans.Timers.Scalable;

/// <summary>How soon to look for new timers again: the manager cannot say that it has some.</summary>
/// <remarks>
/// Often while there are many, so that none is noticed late; at the manager's own period while some come now and then; and seldom
/// while none come, because each look wakes a thread.
/// </remarks>
internal struct PollingPace(TimeSpan period)
{
    /// <summary>One resolution of the service that the timers move to.</summary>
    internal static readonly TimeSpan Busy = TimeSpan.FromMilliseconds(10);

    private static readonly TimeSpan s_staysBusy = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_staysAwake = TimeSpan.FromSeconds(2);
    private TimeSpan _quiet;

    internal TimeSpan Next(bool hasFound)
    {
        _quiet = hasFound ? TimeSpan.Zero : _quiet;
        var pause = _quiet < s_staysBusy ? Busy : _quiet < s_staysAwake ? period : 2 * period;
        _quiet += pause;
        return pause;
    }
}
