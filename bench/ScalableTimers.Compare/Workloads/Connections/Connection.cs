using System.Diagnostics;

namespace ScalableTimers.Compare.Workloads.Connections;

/// <summary>A connection that renews its subscription after a long delay, again and again until it is closed.</summary>
/// <remarks>
/// It may be opened again once it has been closed. Where <see cref="Close"/> meets a renewal, that may start one more
/// delay, and ends when it sees that the connection is closed.
/// </remarks>
internal abstract class Connection(Renewals renewals)
{
    private long _dueAt;
    private volatile bool _isClosed;

    internal void Open(TimeSpan dueTime)
    {
        _isClosed = false;
        Begin(dueTime);
        Start(dueTime);
    }

    /// <summary>
    /// Ends the delay that waits and starts another. When that is due is not noted: reading the clock would be part of
    /// what is measured.
    /// </summary>
    internal void Restart(TimeSpan dueTime)
    {
        Stop();
        Start(dueTime);
    }

    internal void Close()
    {
        _isClosed = true;
        Stop();
    }

    /// <summary>Starts the first delay.</summary>
    protected abstract void Start(TimeSpan dueTime);

    /// <summary>Ends the delay that waits.</summary>
    protected abstract void Stop();

    /// <summary>Called whenever a delay has ended by itself.</summary>
    /// <returns>Whether another one of <see cref="Renewals.Interval"/> has to follow.</returns>
    protected bool HasRenewed()
    {
        renewals.Note(Stopwatch.GetTimestamp() - _dueAt);
        Begin(Renewals.Interval);
        return !_isClosed;
    }

    private void Begin(TimeSpan dueTime) =>
        _dueAt = Stopwatch.GetTimestamp() + (long)(dueTime.TotalSeconds * Stopwatch.Frequency);
}
