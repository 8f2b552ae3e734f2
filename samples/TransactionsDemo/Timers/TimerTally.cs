namespace TransactionsDemo.Timers;

/// <summary>Counts the timers of one bank, from any thread.</summary>
internal sealed class TimerTally
{
    private long _scheduled;
    private long _cancelled;
    private long _fired;
    private long _firedEarly;
    private long _worstEarly;

    /// <summary>The counts since <see cref="Reset"/>.</summary>
    public TimerCounts Counts => new()
    {
        Scheduled = Interlocked.Read(ref _scheduled),
        Cancelled = Interlocked.Read(ref _cancelled),
        Fired = Interlocked.Read(ref _fired),
        FiredEarly = Interlocked.Read(ref _firedEarly),
        WorstEarly = TimeSpan.FromTicks(Interlocked.Read(ref _worstEarly)),
    };

    /// <summary>Starts counting again. Call it while no timer is pending.</summary>
    public void Reset()
    {
        Interlocked.Exchange(ref _scheduled, 0);
        Interlocked.Exchange(ref _cancelled, 0);
        Interlocked.Exchange(ref _fired, 0);
        Interlocked.Exchange(ref _firedEarly, 0);
        Interlocked.Exchange(ref _worstEarly, 0);
    }

    public void CountScheduled() => Interlocked.Increment(ref _scheduled);

    public void CountCancelled() => Interlocked.Increment(ref _cancelled);

    public void CountFired(TimeSpan asked, TimeSpan got)
    {
        var early = (asked - got).Ticks;
        if (early > 0)
        {
            Interlocked.Increment(ref _firedEarly);
            RaiseWorstEarly(early);
        }

        Interlocked.Increment(ref _fired);
    }

    private void RaiseWorstEarly(long early)
    {
        var worst = Interlocked.Read(ref _worstEarly);
        while (early > worst)
        {
            var found = Interlocked.CompareExchange(ref _worstEarly, early, worst);
            if (found == worst)
            {
                return;
            }

            worst = found;
        }
    }
}
