namespace ScalableTimers;

/// <summary>Measures a run, from <see cref="OperationStatistics.Measure(Operation)"/> until disposal.</summary>
/// <remarks>
/// <b>Cost.</b> Two readings of the precise clock, 20 to 50 ns each, and no allocation. <b>Threads.</b> A measurement
/// may end on a different thread than it began on. Disposing it twice adds the run twice.
/// </remarks>
public readonly struct OperationMeasurement : IDisposable
{
    private readonly Operation? _operation;
    private readonly long _start;

    internal OperationMeasurement(Operation operation)
    {
        _operation = operation;
        _start = operation.Owner.Clock.GetTimestamp();
    }

    /// <summary>Adds the time since the measurement began, or zero if the clock has gone backwards.</summary>
    public void Dispose()
    {
        if (_operation is not null)
        {
            var elapsed = _operation.Owner.Clock.GetElapsedTime(_start);
            _operation.Owner.Add(_operation, elapsed > TimeSpan.Zero ? elapsed : TimeSpan.Zero);
        }
    }
}
