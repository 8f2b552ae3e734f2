namespace ScalableTimers.Peer;

/// <summary>Counts the timers of a round that have yet to fire.</summary>
internal sealed class Round(int count) : IDisposable
{
    private int _left = count;

    internal ManualResetEventSlim AllFired { get; } = new();

    public void Dispose() => AllFired.Dispose();

    internal void Signal()
    {
        if (Interlocked.Decrement(ref _left) == 0)
        {
            AllFired.Set();
        }
    }
}
