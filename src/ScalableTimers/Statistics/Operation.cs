namespace ScalableTimers;

/// <summary>An operation in an <see cref="OperationStatistics"/>. Keep it, for example in a static field.</summary>
public sealed class Operation
{
    private object _epoch;

    internal Operation(OperationStatistics owner, string name, int index, object epoch)
    {
        Owner = owner;
        Name = name;
        Index = index;
        _epoch = epoch;
    }

    /// <summary>Gets the name under which the operation was registered.</summary>
    public string Name { get; }

    internal OperationStatistics Owner { get; }

    internal int Index { get; }

    /// <summary>The statistics' epoch, copied so that adding reads one object less. Clear updates it later.</summary>
    internal object Epoch
    {
        get => Volatile.Read(ref _epoch);
        set => Volatile.Write(ref _epoch, value);
    }

    /// <inheritdoc/>
    public override string ToString() => Name;
}
