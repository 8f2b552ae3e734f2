namespace Orleans.Timers.Scalable.Transactions.Waits;

/// <summary>Decides how soon to look again for new static timers, because the manager does not announce them.</summary>
/// <remarks>
/// Polls are frequent while there are many new timers, so that none is noticed late. They come at the manager's own
/// period while new timers come now and then. They are rare while none come, because each poll wakes a thread.
/// </remarks>
internal struct PollingPace(TimeSpan period)
{
    /// <summary>One resolution of the timer service that serves the timers.</summary>
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
