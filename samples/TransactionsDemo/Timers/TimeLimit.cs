namespace TransactionsDemo.Timers;

/// <summary>A time limit whose state can be read. Disposing it ends it in time.</summary>
internal sealed class TimeLimit : TimedOperation, IDisposable
{
    private readonly DemoTimers _timers;
    private volatile bool _isOver;

    private TimeLimit(DemoTimers timers) => _timers = timers;

    public bool IsOver => _isOver;

    public static TimeLimit Start(DemoTimers timers, TimeSpan dueTime)
    {
        var limit = new TimeLimit(timers);
        timers.Start(limit, dueTime);
        return limit;
    }

    public void Dispose() => _timers.TryEndInTime(this);

    protected override void OnTimeout() => _isOver = true;
}
