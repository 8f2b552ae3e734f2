using System.Diagnostics;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>A place for one timer after the other, so that a hundred million of them need no object each.</summary>
/// <remarks>
/// Each life begins when nobody holds the place any more: neither a timer that has yet to end, nor somebody with its
/// handle. A timer that ends twice meets a place that is not pending, or one whose next timer is not due yet.
/// </remarks>
internal abstract class SoakSlot(SoakRun run, SoakKind kind)
{
    // Guards
    //   _state, _holders    interlocked
    //   _dueAt              who begins the life; the holder of the handle; read by who fires, after it has exchanged
    //                       _state
    //   _firedAt            who fires, before it exchanges _state
    private const int Pending = 1;
    private const int Fired = 2;
    private const int Cancelled = 3;
    private const long Changing = long.MinValue;

    private SoakSubject? _subject;
    private int _state;
    private int _holders;
    private long _dueAt;
    private long _firedAt;

    internal bool IsFree => Volatile.Read(ref _holders) == 0;

    protected SoakRun Run => run;

    protected SoakSubject Subject => _subject!;

    protected TimerService Service => _subject!.Service;

    protected long DueAt => Volatile.Read(ref _dueAt);

    /// <summary>Whether its timer should have ended long ago.</summary>
    internal bool IsLost()
    {
        var dueAt = DueAt;
        return Volatile.Read(ref _state) == Pending
            && dueAt != Changing
            && run.LateOnes.IsLost(dueAt)
            && Volatile.Read(ref _state) == Pending
            && DueAt == dueAt;
    }

    public override string ToString() =>
        $"{kind} of {_subject}, due {StressTime.ToMilliseconds(Stopwatch.GetTimestamp() - DueAt):F3} ms ago";

    /// <summary>To be called before the service is asked.</summary>
    /// <param name="subject">Who will be asked.</param>
    /// <param name="dueTime">For which due time.</param>
    /// <param name="isHeld">Whether somebody besides the timer will hold the place, and let go of it.</param>
    protected void Begin(SoakSubject subject, TimeSpan dueTime, bool isHeld)
    {
        _subject = subject;
        Volatile.Write(ref _holders, isHeld ? 2 : 1);
        Rebegin(dueTime);
    }

    /// <summary>Begins the next life on behalf of the timer that has fired, which holds the place still.</summary>
    protected void Rebegin(TimeSpan dueTime)
    {
        run.Tally[kind].CountStarted();
        Volatile.Write(ref _dueAt, StressTime.In(dueTime));
        Volatile.Write(ref _state, Pending);
    }

    /// <returns>False if it was not pending, which has been reported.</returns>
    protected bool EndByFiring(bool isTimely = true)
    {
        var now = Stopwatch.GetTimestamp();
        Volatile.Write(ref _firedAt, now);
        if (!TryEnd(Fired))
        {
            return false;
        }

        run.Tally[kind].CountFired();
        var dueAt = DueAt;
        if (dueAt != Changing)
        {
            Judge(dueAt, now);
            if (isTimely)
            {
                run.Tally[kind].Lateness.Add(now - dueAt);
                run.LateOnes.Consider(kind, Subject, dueAt, now);
            }
        }

        return true;
    }

    /// <summary>To be called when cancelling has been said to be successful.</summary>
    protected void EndByCancelling()
    {
        if (TryEnd(Cancelled))
        {
            run.Tally[kind].CountCancelled();
        }
    }

    /// <summary>
    /// Changes the due time. A firing meanwhile does not know which of the two counts, and leaves it to this thread to
    /// judge.
    /// </summary>
    protected void ChangeDueTime(TimeSpan dueTime, Func<TimeSpan, bool> change)
    {
        var before = _dueAt;
        Volatile.Write(ref _dueAt, Changing);
        var after = StressTime.In(dueTime);
        var counts = change(dueTime) ? after : before;
        Interlocked.Exchange(ref _dueAt, counts);
        if (Volatile.Read(ref _state) == Fired)
        {
            Judge(counts, Volatile.Read(ref _firedAt));
        }
    }

    protected void Release() => Interlocked.Decrement(ref _holders);

    protected void Report(SoakFault fault, string what) => run.Tally.Report(fault, $"{this}: {what}");

    private void Judge(long dueAt, long firedAt)
    {
        if (firedAt < dueAt)
        {
            Report(SoakFault.Early, $"fired {StressTime.ToMilliseconds(dueAt - firedAt):F4} ms early");
        }
    }

    private bool TryEnd(int how)
    {
        var before = Interlocked.CompareExchange(ref _state, how, Pending);
        if (before == Pending)
        {
            return true;
        }

        Report(
            before != how ? SoakFault.CancelledYetFired : how == Fired ? SoakFault.Doubled : SoakFault.Other,
            $"ended {(how == Fired ? "by firing" : "by cancelling")} after it had ended "
            + $"{(before == Fired ? "by firing" : before == Cancelled ? "by cancelling" : "before it began")}");
        return false;
    }
}
