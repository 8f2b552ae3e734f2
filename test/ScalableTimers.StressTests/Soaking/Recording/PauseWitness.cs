using System.Diagnostics;

namespace ScalableTimers.StressTests.Soaking.Recording;

/// <summary>
/// Measures the delays that the machine, the garbage collector and the pool cause, without any timer of the service.
/// </summary>
/// <remarks>
/// A thread sleeps for a millisecond at a time and notes how long it slept. Each time it also queues an item to the
/// pool, if the last one has run, and the item notes how long it waited. If a timer is later than both explain, the
/// service is at fault.
/// </remarks>
internal sealed class PauseWitness : IDisposable
{
    private readonly Thread _thread;
    private readonly WaitCallback _poolItem;
    private long _queuedAt;
    private volatile bool _isItemWaiting;
    private volatile bool _isOver;

    public PauseWitness()
    {
        _poolItem = _ =>
        {
            Pool.Add(_queuedAt, Stopwatch.GetTimestamp());
            _isItemWaiting = false;
        };
        _thread = new Thread(Watch) { IsBackground = true, Name = "soak witness" };
        _thread.Start();
    }

    internal PauseLog Machine { get; } = new();

    internal PauseLog Pool { get; } = new();

    /// <summary>The time up to which everything is known.</summary>
    internal long KnownUntil => Math.Min(Machine.KnownUntil, Pool.KnownUntil);

    /// <summary>
    /// Each sleep and each wait for the pool is counted in full, so that a wait that begins in one pause and ends in
    /// another is explained.
    /// </summary>
    internal long Within(long from, long to) => Machine.Within(from, to) + Pool.Within(from, to);

    /// <summary>The longest sleep or wait in a period of time.</summary>
    internal long Longest(long from, long to) => Math.Max(Machine.Longest(from, to), Pool.Longest(from, to));

    public void Dispose()
    {
        _isOver = true;
        _thread.Join();
    }

    private void Watch()
    {
        var sleep = StressTime.Units(TimeSpan.FromMilliseconds(1));
        while (!_isOver)
        {
            if (!_isItemWaiting)
            {
                _isItemWaiting = true;
                _queuedAt = Stopwatch.GetTimestamp();
                ThreadPool.UnsafeQueueUserWorkItem(_poolItem, null);
            }

            var from = Stopwatch.GetTimestamp() + sleep;
            Thread.Sleep(1);
            var to = Stopwatch.GetTimestamp();
            Machine.Add(Math.Min(from, to), to);
        }
    }
}
