namespace ScalableTimers.Exploration.Scenarios.StaticTimers;

/// <summary>A worker that delays again and again. Only its newest delay matters.</summary>
internal sealed class ForeignWorker(CancellationToken token)
{
    private readonly Lock _lock = new();

    internal ForeignTimer? Newest { get; private set; }

    internal void Delay(ForeignList list)
    {
        lock (_lock)
        {
            Newest = new ForeignTimer(DateTime.MaxValue.AddYears(-5000), token);
            list.Add(Newest);
        }
    }
}
