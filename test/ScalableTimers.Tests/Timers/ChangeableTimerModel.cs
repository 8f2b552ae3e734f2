using System.Numerics;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// The expected behaviour of a timer, found by counting up. Times are in milliseconds, and a tick is ten of them.
/// </summary>
internal sealed class ChangeableTimerModel(int tolerance, bool mayOverlap)
{
    private const int Resolution = 10;

    private int? _due;
    private int _period;
    private long? _owedTick;
    private int _waitingOrRunning;

    internal int Scheduled { get; private set; }

    internal int Cancelled { get; private set; }

    internal int Skipped { get; private set; }

    internal int Started { get; private set; }

    internal bool IsDisposed { get; private set; }

    /// <summary>When it expires, or null.</summary>
    internal long? Tick { get; private set; }

    internal void Change(int now, int dueTime, int period)
    {
        if (IsDisposed)
        {
            return;
        }

        // Moving a pending timer is not counted.
        var isMoved = Tick is not null && dueTime >= 0;
        Stop();
        _period = Math.Max(0, period);
        _due = dueTime < 0 ? null : now + dueTime;
        Link();
        Cancelled -= isMoved ? 1 : 0;
        Scheduled -= isMoved ? 1 : 0;
    }

    internal void Dispose()
    {
        Stop();
        IsDisposed = true;
    }

    /// <summary>The driver has woken. Returns true if a firing has to wait for a thread.</summary>
    internal bool Expire(int now)
    {
        var expired = Tick;
        Tick = null;
        MoveOn(now);
        Link();
        if (mayOverlap || _waitingOrRunning == 0)
        {
            _waitingOrRunning++;
            return true;
        }

        if (Tick is null)
        {
            _owedTick = expired;
            Cancelled++;
        }
        else
        {
            Skipped++;
        }

        return false;
    }

    /// <summary>A thread takes the firing. Returns true if the callback runs.</summary>
    internal bool Begin()
    {
        if (IsDisposed)
        {
            _waitingOrRunning--;
            return false;
        }

        Started++;
        return true;
    }

    internal void Return()
    {
        _waitingOrRunning--;
        if (_owedTick is not null)
        {
            Tick = _owedTick;
            _owedTick = null;
            Scheduled++;
        }
    }

    private void Stop()
    {
        _owedTick = null;
        _due = null;
        if (Tick is not null)
        {
            Cancelled++;
            Tick = null;
        }
    }

    private void MoveOn(int now)
    {
        if (_due is null || _period == 0)
        {
            _due = null;
            return;
        }

        _due += _period;
        while (Ceiling(_due.Value) <= now / Resolution)
        {
            _due += _period;
            Skipped++;
            Scheduled++;
        }
    }

    private void Link()
    {
        if (_due is not { } due)
        {
            return;
        }

        Scheduled++;
        Tick = Ceiling(due);
        var end = _period == 0 ? int.MaxValue : Ceiling(due + _period);
        for (var tick = Ceiling(due); tick * Resolution <= due + tolerance && tick < end; tick++)
        {
            Tick = Zeros(tick) > Zeros(Tick.Value) ? tick : Tick;
        }
    }

    private static int Zeros(long tick) => BitOperations.TrailingZeroCount(tick);

    private static long Ceiling(int time) => (time + Resolution - 1) / Resolution;
}
