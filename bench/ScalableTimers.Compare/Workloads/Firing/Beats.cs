using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>
/// Timers that start themselves again, and their firings during a period after the warm-up.
/// </summary>
internal sealed class Beats(DueTimes dueTimes)
{
    // Guards
    //   _isMeasuring, _isOver   the main thread (written)
    // _noted interlocked; an element belongs to the thread that took its index
    // One shared counter costs nothing at the rates that are measured here.
    private readonly long[] _lateness = new long[1 << 20];
    private int _noted;
    private int _created;
    private volatile bool _isMeasuring;
    private volatile bool _isOver;

    internal DueTimes DueTimes { get; } = dueTimes;

    /// <summary>The index of a timer's first due time, far from those of other timers.</summary>
    internal int FirstDueTime() => _created++ * 61;

    /// <summary>Notes a firing.</summary>
    /// <returns>Whether the timer has to continue.</returns>
    internal bool Note(long lateness)
    {
        if (_isMeasuring)
        {
            _lateness[Interlocked.Increment(ref _noted) - 1] = lateness;
        }

        return !_isOver;
    }

    internal Measurement Run(int count, TimeSpan duration, Func<Beats, Beat> create)
    {
        var beats = Enumerable.Range(0, count).Select(_ => create(this)).ToList();
        beats.ForEach(static beat => beat.Start(beat.NextDueTime()));
        Thread.Sleep(DueTimes.Longest);

        var before = Usage.Now();
        _isMeasuring = true;
        Thread.Sleep(duration);
        _isMeasuring = false;
        var after = Usage.Now();
        _isOver = true;
        Task.WaitAll(beats.Select(static beat => beat.Ended).ToArray());
        return Lateness.AddTo(Measurement.OfSeconds(before, after, _noted), _lateness[.._noted]);
    }
}
