using System.Collections.Concurrent;
using System.Runtime.Versioning;

namespace ScalableTimers.Compare.Workloads.Periodic;

/// <summary>Timers that are each one of the operating system, on Linux, and one thread that waits for all.</summary>
/// <remarks>
/// Written for comparison only. It leaves all work with time to the kernel, as the thread-pool timers of Windows do.
/// The kernel keeps their order, and each takes a descriptor, of which a process may have some thousands. The thread
/// reads an expired descriptor and queues the callback to the pool. Expirations between two reads share one call.
/// A dictionary finds the timer of an event, and a safe handle closes it: some of the time to create and dispose one is
/// theirs, and not the kernel's.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed class OsTimers : IDisposable
{
    private const int EventsAtOnce = 64;

    private readonly ConcurrentDictionary<int, OsTimer> _timers = new();
    private readonly EpollHandle _epoll = LinuxTimers.CreateEpoll();
    private readonly Thread _thread;
    private int _lastId;
    private volatile bool _isOver;

    internal OsTimers()
    {
        _thread = new Thread(WaitForTimers) { IsBackground = true };
        _thread.Start();
    }

    /// <summary>Ends the thread, without which no timer fires.</summary>
    public void Dispose()
    {
        _isOver = true;
        using (Create(static _ => { }, null, TimeSpan.FromMilliseconds(1), TimeSpan.Zero))
        {
            _thread.Join();
        }

        _epoll.Dispose();
    }

    /// <param name="callback">Called by a thread of the pool.</param>
    /// <param name="state">Passed to it.</param>
    /// <param name="dueTime">Greater than zero.</param>
    /// <param name="period">Zero if it is to fire once.</param>
    internal OsTimer Create(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        // An event carries a number that is never used again, because a descriptor may be another timer's by then.
        var id = Interlocked.Increment(ref _lastId);
        var timer = LinuxTimers.CreateTimer();
        try
        {
            timer.Attach(this, id, callback, state);
            _timers[id] = timer;
            LinuxTimers.Watch(_epoll, timer, id);
            LinuxTimers.Set(timer, dueTime, period);
            return timer;
        }
        catch
        {
            timer.Dispose();
            throw;
        }
    }

    internal void Forget(int id) => _timers.TryRemove(id, out _);

    private void WaitForTimers()
    {
        var events = new int[EventsAtOnce * LinuxTimers.EventLength];
        while (!_isOver)
        {
            var count = LinuxTimers.Wait(_epoll, events);
            for (var i = 0; i < count; i++)
            {
                if (_timers.TryGetValue(LinuxTimers.DataOf(events, i), out var timer) && HasExpired(timer))
                {
                    ThreadPool.UnsafeQueueUserWorkItem(timer, preferLocal: false);
                }
            }
        }
    }

    private static bool HasExpired(OsTimer timer)
    {
        try
        {
            return LinuxTimers.Read(timer);
        }
        catch (ObjectDisposedException)
        {
            return false;
        }
    }
}
