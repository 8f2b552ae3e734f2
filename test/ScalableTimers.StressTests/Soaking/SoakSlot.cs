using System.Diagnostics;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>
/// A place for one timer after the other, so that a hundred million timers do not need an object each.
/// </summary>
/// <remarks>
/// Each life begins when nobody holds the place any more: neither a timer that has yet to end, nor a thread with its
/// handle. A timer that ends twice finds a place that is not pending, or one whose next timer is not due yet.
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

    /// <summary>Whether the timer of the place should have ended long ago.</summary>
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

    /// <summary>Begins a life. Call it before the timer is started.</summary>
    /// <param name="subject">The service that will start the timer.</param>
    /// <param name="dueTime">The due time of the timer.</param>
    /// <param name="isHeld">Whether a thread will also hold the place, and release it later.</param>
    protected void Begin(SoakSubject subject, TimeSpan dueTime, bool isHeld)
    {
        _subject = subject;
        Volatile.Write(ref _holders, isHeld ? 2 : 1);
        Rebegin(dueTime);
    }

    /// <summary>Begins the next life for the timer that has fired. That timer still holds the place.</summary>
    protected void Rebegin(TimeSpan dueTime)
    {
        run.Tally[kind].CountStarted();
        Volatile.Write(ref _dueAt, StressTime.In(dueTime));
        Volatile.Write(ref _state, Pending);
    }

    /// <returns>False if the place was not pending. The fault has been reported then.</returns>
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

    /// <summary>Ends the life. Call it when the timer was cancelled successfully.</summary>
    protected void EndByCancelling()
    {
        if (TryEnd(Cancelled))
        {
            run.Tally[kind].CountCancelled();
        }
    }

    /// <summary>
    /// Changes the due time. A firing at the same time does not know which due time counts, so this thread checks it.
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
