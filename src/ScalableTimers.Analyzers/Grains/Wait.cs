namespace ScalableTimers.Analyzers.Grains;

/// <summary>A call of <c>Task.Delay</c> or <c>Thread.Sleep</c>.</summary>
/// <remarks>One that names a <c>TimeProvider</c> is none: its author has chosen a clock.</remarks>
internal sealed class Wait
{
    private Wait(string name, IOperation dueTime, IOperation? token)
    {
        Name = name;
        DueTime = dueTime;
        Token = token;
    }

    /// <summary>How a message calls it.</summary>
    internal string Name { get; }

    internal bool IsSleep => Name == "Thread.Sleep";

    internal IOperation DueTime { get; }

    internal IOperation? Token { get; }

    /// <summary>Reads an operation; null if it does not wait.</summary>
    internal static Wait? Of(IOperation operation, KnownTypes types)
    {
        if (operation is not IInvocationOperation { TargetMethod: var method } call
            || NameOf(method, types) is not { } name
            || Argument(call, static parameter => parameter.Type.Name == "TimeProvider") is not null
            || Argument(call, static parameter => parameter.Ordinal == 0) is not { } dueTime
            || IsZero(dueTime))
        {
            return null;
        }

        return new Wait(name, dueTime, Argument(call, static parameter => parameter.Type.Name == "CancellationToken"));
    }

    private static string? NameOf(IMethodSymbol method, KnownTypes types) => method.Name switch
    {
        "Delay" when KnownTypes.Same(method.ContainingType, types.Task) => "Task.Delay",
        "Sleep" when KnownTypes.Same(method.ContainingType, types.Thread) => "Thread.Sleep",
        _ => null,
    };

    private static IOperation? Argument(IInvocationOperation call, Func<IParameterSymbol, bool> isWanted) =>
        call.Arguments.FirstOrDefault(argument => argument.Parameter is { } parameter && isWanted(parameter))?.Value;

    // A delay of zero has completed before anybody awaits it.
    private static bool IsZero(IOperation value) =>
        value is { ConstantValue: { HasValue: true, Value: 0 } }
            || value is IFieldReferenceOperation { Field: { Name: "Zero", ContainingType.Name: "TimeSpan" } }
            || value is IDefaultValueOperation;
}
