using System.Diagnostics;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare.Workloads.Firing;

/// <summary>Timers that restart whenever they fire, and their firings during a period after the warm-up.</summary>
/// <remarks>The due times are random whole milliseconds, the same in every round.</remarks>
internal sealed class Beats
{
    // Guards
    //   _isMeasuring, _isOver   the main thread (written)
    //   _noted                  interlocked; an element of _lateness belongs to the thread that took its index
    // A shared counter costs nothing at the rates measured here.
    private readonly long[] _lateness = new long[1 << 20];
    private readonly TimeSpan[] _dueTimes;
    private readonly TimeSpan _longest;
    private int _noted;
    private volatile bool _isMeasuring;
    private volatile bool _isOver;

    internal Beats(TimeSpan shortest, TimeSpan longest)
    {
        var random = new Random(1);
        _dueTimes =
        [
            .. Enumerable.Range(0, 1 << 16).Select(_ => TimeSpan.FromMilliseconds(
                random.Next((int)shortest.TotalMilliseconds, (int)longest.TotalMilliseconds + 1))),
        ];
        _longest = longest;
    }

    /// <summary>Keeps this many timers going for a while.</summary>
    internal Measurement Run(int count, TimeSpan duration, Action<Beat> start)
    {
        // Each timer starts at a distant place of the list of due times.
        var beats = Enumerable.Range(0, count).Select(i => new Beat(this, start, i * 61)).ToList();
        beats.ForEach(start);
        Thread.Sleep(_longest);
        var before = Usage.Now();
        _isMeasuring = true;
        Thread.Sleep(duration);
        _isMeasuring = false;
        var after = Usage.Now();
        _isOver = true;
        Task.WaitAll(beats.Select(static beat => beat.Ended).ToArray());
        return Lateness.AddTo(Measurement.OfSeconds(before, after, _noted), _lateness[.._noted]);
    }

    /// <summary>One of the timers.</summary>
    internal sealed class Beat(Beats beats, Action<Beat> start, int next)
    {
        internal static readonly TimerCallback Fire = static beat => ((Beat)beat!).StartAgain();

        private readonly TaskCompletionSource _ended = new();
        private int _next = next;
        private long _dueAt;

        internal Task Ended => _ended.Task;

        /// <summary>Gets or sets .NET's timer.</summary>
        internal Timer? Timer { get; set; }

        /// <summary>Returns the next due time, relative to now.</summary>
        internal TimeSpan NextDueTime()
        {
            var dueTime = beats._dueTimes[_next++ & (beats._dueTimes.Length - 1)];
            _dueAt = Stopwatch.GetTimestamp() + (long)(dueTime.TotalSeconds * Stopwatch.Frequency);
            return dueTime;
        }

        /// <summary>Fires again and again by awaiting delays.</summary>
        internal async Task RunAsync(Func<TimeSpan, ValueTask> delay)
        {
            do
            {
                await delay(NextDueTime()).ConfigureAwait(false);
            }
            while (HasFired());
        }

        private void StartAgain()
        {
            if (HasFired())
            {
                start(this);
            }
        }

        // Returns whether to continue.
        private bool HasFired()
        {
            var lateness = Stopwatch.GetTimestamp() - _dueAt;
            if (beats._isMeasuring)
            {
                beats._lateness[Interlocked.Increment(ref beats._noted) - 1] = lateness;
            }

            if (beats._isOver)
            {
                _ended.SetResult();
            }

            return !_ended.Task.IsCompleted;
        }
    }
}
