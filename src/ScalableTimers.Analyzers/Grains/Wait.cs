namespace ScalableTimers.Analyzers.Grains;

/// <summary>A call to <c>Task.Delay</c> or <c>Thread.Sleep</c>.</summary>
/// <remarks>A call with a <c>TimeProvider</c> does not count: its author has chosen a clock.</remarks>
internal sealed class Wait(string name, IOperation operation, IOperation dueTime)
{
    /// <summary>Its name in messages.</summary>
    internal string Name { get; } = name;

    internal IOperation Operation { get; } = operation;

    internal IOperation DueTime { get; } = dueTime;

    internal bool IsSleep => Name == "Thread.Sleep";

    /// <summary>Whether a task is awaited in place, so that a <c>ValueTask</c> can replace it.</summary>
    /// <remarks>A ValueTask's <c>ConfigureAwait</c> takes no options.</remarks>
    internal bool IsAwaited => Operation.Parent switch
    {
        IInvocationOperation { TargetMethod: { Name: "ConfigureAwait", Parameters: var parameters } } configured =>
            parameters[0].Type.SpecialType == SpecialType.System_Boolean && configured.Parent is IAwaitOperation,
        var parent => parent is IAwaitOperation,
    };

    /// <summary>Whether the code around it gets the exception, and not, for instance, <c>Task.WhenAny</c>.</summary>
    internal bool Throws => IsSleep || IsAwaited || Surroundings.Outermost(Operation).Parent is IReturnOperation;

    /// <summary>Reads an operation; null if it does not wait.</summary>
    internal static Wait? Of(IOperation operation, KnownTypes types)
    {
        if (operation is not IInvocationOperation { TargetMethod: var method } call
            || NameOf(method, types) is not { } name
            || method.Parameters.Any(static parameter => parameter.Type.Name == "TimeProvider")
            || call.Arguments.FirstOrDefault(static argument => argument.Parameter?.Ordinal == 0) is not { } dueTime
            || IsZero(dueTime.Value))
        {
            return null;
        }

        return new Wait(name, call, dueTime.Value);
    }

    private static string? NameOf(IMethodSymbol method, KnownTypes types) => method.Name switch
    {
        "Delay" when KnownTypes.Same(method.ContainingType, types.Task) => "Task.Delay",
        "Sleep" when KnownTypes.Same(method.ContainingType, types.Thread) => "Thread.Sleep",
        _ => null,
    };

    // A delay of zero has completed before it is awaited.
    private static bool IsZero(IOperation value) =>
        value is { ConstantValue: { HasValue: true, Value: 0 } }
            || value is IFieldReferenceOperation { Field: { Name: "Zero", ContainingType.Name: "TimeSpan" } }
            || value is IDefaultValueOperation;
}
