using System.Collections.Concurrent;

namespace ScalableTimers.Timeouts;

/// <summary>Creates the sources of frequently used timeouts before they are requested.</summary>
/// <remarks>
/// <para>
/// Timeouts are divided into buckets just as time is. A timeout that is the first to need a bucket, and has been so
/// before, is expected to be used again. Every <see cref="Period"/> buckets, a round creates the sources that this
/// timeout can need until the next round. These are <see cref="Period"/> + 1 sources, because requests and timeouts may
/// begin anywhere in their buckets. The round runs in the middle of a bucket and counts from its end, so it may be half
/// a bucket late.
/// </para>
/// <para>
/// Only the first user of a bucket is reported. So a shorter timeout that always finds the buckets of a longer one is
/// not known. It need not be known, because its sources already exist. A timeout that was used once is remembered, but
/// no sources are created for it.
/// </para>
/// <para>
/// Rounds end when no timeout is regular any more, so that an idle service sleeps. They also end when the service is
/// disposed.
/// </para>
/// </remarks>
internal sealed class TokensAhead
{
    /// <summary>The time from one round to the next, in buckets.</summary>
    internal const int Period = 4;

    /// <summary>
    /// How many timeouts are remembered. When there are more, timeouts that were not used for a period are forgotten.
    /// </summary>
    internal const int Capacity = 128;

    private const int Stopped = 0;
    private const int Running = 1;

    // Guards
    //   _recent    itself; _count follows it and may be too high for a moment
    //   _state     compare-exchange; the thread that changes it to Running arms the timer, later the round does
    private readonly ConcurrentDictionary<long, RecentTimeout> _recent = new();
    private readonly TimeoutTokens _tokens;
    private readonly TimerService _service;
    private readonly long _reuseWindow;
    private ITimer? _timer;
    private int _count;
    private int _state;
    private int _hasEnded;

    internal TokensAhead(TimeoutTokens tokens, TimerService service, ScalableTimerOptions options)
    {
        _tokens = tokens;
        _service = service;
        var bucket = options.TimeoutTokenBucket.Ticks;
        _reuseWindow = (options.TimeoutTokenReuseWindow.Ticks + bucket - 1) / bucket;
    }

    internal bool HasEnded => Volatile.Read(ref _hasEnded) != 0;

    /// <summary>Notes that a timeout was the first to need a bucket.</summary>
    /// <param name="timeout">The timeout, in buckets.</param>
    /// <param name="index">The bucket.</param>
    internal void Remember(long timeout, long index)
    {
        if (_reuseWindow == 0 || HasEnded)
        {
            return;
        }

        var usedAt = index - timeout;
        if (!_recent.TryGetValue(timeout, out var recent))
        {
            Add(timeout, usedAt);
        }
        else if (recent.Use(usedAt, _reuseWindow))
        {
            Start();
        }
    }

    /// <summary>Ends the rounds. A round in progress continues and checks <see cref="HasEnded"/>.</summary>
    internal void End()
    {
        // A full fence; see EnsureTimer.
        Interlocked.Exchange(ref _hasEnded, 1);
        Volatile.Read(ref _timer)?.Dispose();
        _recent.Clear();
    }

    private void Add(long timeout, long usedAt)
    {
        if (_count >= Capacity)
        {
            ForgetUnused(usedAt, Period);
        }

        if (Interlocked.Increment(ref _count) > Capacity || !_recent.TryAdd(timeout, new RecentTimeout(usedAt)))
        {
            Interlocked.Decrement(ref _count);
        }
    }

    private void Start()
    {
        if (Interlocked.CompareExchange(ref _state, Running, Stopped) != Stopped)
        {
            return;
        }

        try
        {
            EnsureTimer();

            // Not immediately: the request that starts the rounds must not wait for the first one.
            WakeIn(Now());
        }
        catch
        {
            GiveUp();
            throw;
        }
    }

    private void EnsureTimer()
    {
        if (_timer is not null)
        {
            return;
        }

        using var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();

        // Never refused: the caller, who has a token by now, must not get the exception.
        var timer = _service.CreateUnlimitedTimer(static ahead => ((TokensAhead)ahead!).Round(), this);

        // The exchange is a full fence: either this thread sees that the service has ended, or End sees the timer.
        Interlocked.Exchange(ref _timer, timer);
        if (HasEnded)
        {
            timer.Dispose();
        }
    }

    private void Round()
    {
        if (TrySetNext(out var now))
        {
            try
            {
                // After the next round is set, so that a failure to create a source does not end the rounds.
                MakeSources(now);
            }
            catch (Exception exception) when (TimerService.IsRefusal(exception))
            {
                // Sources are created when they are requested, if there is a place then.
            }
        }
    }

    private bool TrySetNext(out long now)
    {
        try
        {
            now = Now();
            ForgetUnused(now, _reuseWindow);
            if (HasRegular())
            {
                WakeIn(now + Period);
                return true;
            }
        }
        catch
        {
            GiveUp();
            throw;
        }

        Stop();
        return false;
    }

    // The clock has failed. A timeout starts the rounds when it becomes regular, so all timeouts that are regular now
    // are forgotten.
    private void GiveUp()
    {
        ForgetUnused(long.MaxValue, age: 0);
        Stop();
    }

    private void Stop()
    {
        // A full fence. A timeout may have become regular since the last look without starting the rounds, because they
        // were still running.
        Interlocked.Exchange(ref _state, Stopped);
        if (HasRegular())
        {
            Start();
        }
    }

    private bool HasRegular() => _recent.Any(static pair => pair.Value.IsRegular);

    private void MakeSources(long now)
    {
        foreach (var (timeout, recent) in _recent)
        {
            if (recent.IsRegular)
            {
                for (var ahead = 0; ahead <= Period; ahead++)
                {
                    _tokens.MakeAhead(now + timeout + ahead);
                }
            }
        }
    }

    private void ForgetUnused(long now, long age)
    {
        foreach (var pair in _recent)
        {
            if (now - pair.Value.UsedAt > age && _recent.TryRemove(pair))
            {
                Interlocked.Decrement(ref _count);
            }
        }
    }

    private void WakeIn(long index) => _timer!.Change(_tokens.UntilMiddle(index), Timeout.InfiniteTimeSpan);

    private long Now() => _tokens.IndexAt(_service.Clock.Now());
}
