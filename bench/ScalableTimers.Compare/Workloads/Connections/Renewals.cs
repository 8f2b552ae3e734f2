using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads.Firing;

namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>The renewals of many connections, noted during a measurement.</summary>
internal sealed class Renewals
{
    /// <summary>How long a connection waits before it renews, as in Service Fabric by default.</summary>
    internal static readonly TimeSpan Interval = TimeSpan.FromSeconds(20);

    // No connection renews before it is open. All renewals that are measured are the first of their connection.
    private static readonly TimeSpan s_first = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan s_settle = TimeSpan.FromSeconds(1.5);

    // Guards
    //   _isMeasuring   the main thread (written)
    //   _noted         interlocked; an element belongs to the thread that took its index
    private readonly long[] _lateness = new long[1 << 18];
    private int _noted;
    private volatile bool _isMeasuring;

    internal void Note(long lateness)
    {
        if (_isMeasuring)
        {
            _lateness[Interlocked.Increment(ref _noted) - 1] = lateness;
        }
    }

    /// <summary>Opens connections, whose renewals are spread over the interval, and measures them.</summary>
    internal Measurement Measure(Connection[] connections, TimeSpan duration)
    {
        OpenAll(connections);
        Thread.Sleep(s_settle);
        var before = Usage.Now();
        _isMeasuring = true;
        Thread.Sleep(duration);
        _isMeasuring = false;
        var after = Usage.Now();
        var noted = Volatile.Read(ref _noted);
        Array.ForEach(connections, static connection => connection.Close());
        return Lateness.AddTo(Measurement.OfSeconds(before, after, noted), _lateness[..noted]);
    }

    private static void OpenAll(Connection[] connections)
    {
        var random = new Random(1);
        foreach (var connection in connections)
        {
            connection.Open(s_first + TimeSpan.FromMilliseconds(random.Next((int)Interval.TotalMilliseconds)));
        }
    }
}
