namespace ScalableTimers;

/// <summary>
/// An operation that an <see cref="OperationStatistics"/> keeps figures of. To be kept, in a static field for instance.
/// </summary>
public sealed class Operation
{
    internal Operation(OperationStatistics owner, string name, int index)
    {
        Owner = owner;
        Name = name;
        Index = index;
    }

    /// <summary>Gets the name that the operation was registered by.</summary>
    public string Name { get; }

    internal OperationStatistics Owner { get; }

    internal int Index { get; }

    /// <inheritdoc/>
    public override string ToString() => Name;
}
