namespace ScalableTimers;

/// <summary>An operation in an <see cref="OperationStatistics"/>. Keep it, for example in a static field.</summary>
public sealed class Operation
{
    internal Operation(OperationStatistics owner, string name, int index)
    {
        Owner = owner;
        Name = name;
        Index = index;
    }

    /// <summary>Gets the name under which the operation was registered.</summary>
    public string Name { get; }

    internal OperationStatistics Owner { get; }

    internal int Index { get; }

    /// <inheritdoc/>
    public override string ToString() => Name;
}
