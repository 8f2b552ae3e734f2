using System.Diagnostics;
using HdrHistogram;

namespace ScalableTimers.StressTests.Soaking;

/// <summary>
/// Measures how long the machine, the garbage collector and the pool let threads wait, without any timer of a service.
/// </summary>
/// <remarks>
/// A thread sleeps for a millisecond at a time and notes how much it overslept. Each time it also queues an item to the
/// pool, if the last one has run, and the item notes how long it waited. If a timer is later than both explain, the
/// service is at fault.
/// </remarks>
internal sealed class PauseWitness : IDisposable
{
    private static readonly long s_sleep = StressTime.Units(TimeSpan.FromMilliseconds(1));
    private static readonly long s_shortest = StressTime.Units(TimeSpan.FromMilliseconds(5));

    /// <summary>How close to a timer's lateness a pause must be to count.</summary>
    private static readonly long s_around = StressTime.Units(TimeSpan.FromSeconds(1));

    private readonly Lock _gate = new();
    private readonly List<(long From, long To)> _pauses = [];
    private readonly Thread _thread;
    private volatile bool _isItemWaiting;
    private volatile bool _isOver;

    public PauseWitness()
    {
        _thread = new Thread(Watch) { IsBackground = true, Name = "soak witness" };
        _thread.Start();
    }

    /// <summary>How much the thread overslept.</summary>
    internal LongHistogram Machine { get; } = NewHistogram();

    /// <summary>How long items of the pool waited.</summary>
    internal LongHistogram Pool { get; } = NewHistogram();

    /// <summary>Counts any duration, in buckets 1 % wide. One thread records.</summary>
    internal static LongHistogram NewHistogram() => new(long.MaxValue / 2, numberOfSignificantValueDigits: 2);

    /// <summary>The lateness that pauses of the machine and the pool can explain.</summary>
    /// <remarks>
    /// A timer passes through the driver's wake-up source, the driver and the pool. On a busy machine each may have to
    /// wait as long as the witness did around that time, but at different moments.
    /// </remarks>
    internal long Explain(long dueAt, long firedAt)
    {
        var (between, longest) = (0L, 0L);
        lock (_gate)
        {
            foreach (var (from, to) in _pauses)
            {
                between += Math.Max(0, Math.Min(firedAt, to) - Math.Max(dueAt, from));
                if (from < firedAt + s_around && to > dueAt - s_around)
                {
                    longest = Math.Max(longest, to - from);
                }
            }
        }

        return between + (4 * longest);
    }

    /// <summary>Forgets the pauses so far, once no timer of that time is left.</summary>
    internal void Forget()
    {
        lock (_gate)
        {
            _pauses.Clear();
        }
    }

    public void Dispose()
    {
        _isOver = true;
        _thread.Join();
    }

    private void Watch()
    {
        while (!_isOver)
        {
            if (!_isItemWaiting)
            {
                _isItemWaiting = true;
                var queuedAt = Stopwatch.GetTimestamp();
                ThreadPool.UnsafeQueueUserWorkItem(
                    _ =>
                    {
                        Note(Pool, queuedAt);
                        _isItemWaiting = false;
                    },
                    null);
            }

            var from = Stopwatch.GetTimestamp() + s_sleep;
            Thread.Sleep(1);
            Note(Machine, from);
        }
    }

    private void Note(LongHistogram lengths, long from)
    {
        var to = Stopwatch.GetTimestamp();
        lengths.RecordValue(Math.Max(0, to - from));
        if (to - from > s_shortest)
        {
            lock (_gate)
            {
                _pauses.Add((from, to));
            }
        }
    }
}
