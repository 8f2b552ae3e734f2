using System.Diagnostics;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>Timers that are due within a window of time, scheduled before it by two threads.</summary>
/// <remarks>
/// Firings are not counted as they happen, because a counter shared by all threads would cost more than a timer. Each
/// firing notes its time. After the window, the test checks every few milliseconds for timers that have not fired.
/// </remarks>
internal sealed class Volley
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(2);

    private readonly Shot[] _shots;
    private readonly int[] _offsets;
    private readonly Shot[] _shotsInTheirOrder;
    private readonly TimeSpan _spread;
    private readonly TimeSpan _lead;

    /// <param name="count">How many timers.</param>
    /// <param name="spread">The length of the window in whole milliseconds.</param>
    internal Volley(int count, TimeSpan spread)
    {
        var random = new Random(1);
        _shots = [.. Enumerable.Range(0, count).Select(static _ => new Shot())];
        _offsets = [.. _shots.Select(_ => random.Next((int)spread.TotalMilliseconds + 1))];
        _shotsInTheirOrder = [.. _shots];
        Array.Sort([.. _offsets], _shotsInTheirOrder);
        _spread = spread;

        // The slowest contestant needs about a microsecond to schedule one.
        _lead = TimeSpan.FromMilliseconds(300 + (count / 1000));
    }

    internal Measurement Run(Action<Shot, TimeSpan> schedule)
    {
        var measured = Run(schedule, static () => { });
        return Lateness.AddTo(measured, [.. _shots.Select(static shot => shot.FiredAt - shot.DueAt)]);
    }

    /// <summary>
    /// The same without timers: the cost of preparing all that the timers would fire, then firing it at once, in the
    /// order of due times.
    /// </summary>
    internal Measurement RunWithoutTimers(Action<Shot, TimeSpan> prepare, Action<Shot> fire) =>
        Run(prepare, () => Array.ForEach(_shotsInTheirOrder, fire));

    private Measurement Run(Action<Shot, TimeSpan> schedule, Action whenScheduled)
    {
        var before = Usage.Now();
        var windowAt = before.Timestamp + Units(_lead);
        var half = _shots.Length / 2;
        var other = new Thread(() => Schedule(half, _shots.Length, windowAt, schedule));
        other.Start();
        Schedule(0, half, windowAt, schedule);
        other.Join();
        whenScheduled();
        WaitForAll(windowAt + Units(_spread));
        return Measurement.OfOperations(before, Usage.Now(), _shots.Length, threads: 1).Except(Column.Wall);
    }

    private static long Units(TimeSpan duration) => (long)(duration.TotalSeconds * Stopwatch.Frequency);

    private void Schedule(int from, int to, long windowAt, Action<Shot, TimeSpan> schedule)
    {
        for (var i = from; i < to; i++)
        {
            // The due times are whole milliseconds, because .NET's timers truncate them.
            var now = Stopwatch.GetTimestamp();
            var left = Stopwatch.GetElapsedTime(now, windowAt).TotalMilliseconds + _offsets[i];
            var dueTime = TimeSpan.FromMilliseconds((long)Math.Max(0, left));
            _shots[i].Prepare(now + Units(dueTime));
            schedule(_shots[i], dueTime);
        }
    }

    private void WaitForAll(long windowEndsAt)
    {
        var left = Stopwatch.GetElapsedTime(Stopwatch.GetTimestamp(), windowEndsAt);
        Thread.Sleep(left > TimeSpan.Zero ? left : TimeSpan.Zero);
        foreach (var shot in _shots)
        {
            while (shot.FiredAt == 0)
            {
                Thread.Sleep(s_look);
            }
        }
    }
}
