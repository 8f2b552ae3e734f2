namespace ScalableTimers;

/// <summary>
/// The measurement of one run of an operation, from <see cref="OperationStatistics.Measure(Operation)"/> until its
/// disposal.
/// </summary>
/// <remarks>
/// <b>Cost.</b> Two readings of the precise clock, 25 to 50 ns each, and no allocation. <b>Threads.</b> A measurement
/// may end on a different thread than it began on. Disposing it twice adds the run twice.
/// </remarks>
public readonly struct OperationMeasurement : IDisposable, IEquatable<OperationMeasurement>
{
    private readonly Operation? _operation;
    private readonly long _start;

    internal OperationMeasurement(Operation operation)
    {
        _operation = operation;
        _start = operation.Owner.Clock.GetTimestamp();
    }

    /// <summary>Compares two measurements.</summary>
    /// <param name="left">The first measurement.</param>
    /// <param name="right">The second measurement.</param>
    /// <returns>True if they are of the same operation and began at the same moment.</returns>
    public static bool operator ==(OperationMeasurement left, OperationMeasurement right) => left.Equals(right);

    /// <summary>Compares two measurements.</summary>
    /// <param name="left">The first measurement.</param>
    /// <param name="right">The second measurement.</param>
    /// <returns>True if they are of different operations or began at different moments.</returns>
    public static bool operator !=(OperationMeasurement left, OperationMeasurement right) => !left.Equals(right);

    /// <summary>Adds the time since the measurement began, or zero if the clock has gone back.</summary>
    public void Dispose()
    {
        if (_operation is not null)
        {
            var elapsed = _operation.Owner.Clock.GetElapsedTime(_start);
            _operation.Owner.Add(_operation, elapsed > TimeSpan.Zero ? elapsed : TimeSpan.Zero);
        }
    }

    /// <inheritdoc/>
    public bool Equals(OperationMeasurement other) =>
        ReferenceEquals(_operation, other._operation) && _start == other._start;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is OperationMeasurement other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_operation, _start);
}
