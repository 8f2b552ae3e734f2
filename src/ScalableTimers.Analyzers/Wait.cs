namespace ScalableTimers.Analyzers;

/// <summary>An operation that starts one of .NET's timers, or blocks a thread for a time.</summary>
/// <remarks>One that names a <c>TimeProvider</c> is none: its author has chosen a clock.</remarks>
internal readonly struct Wait
{
    private Wait(WaitKind kind, string name, IOperation? dueTime, IOperation? token)
    {
        Kind = kind;
        Name = name;
        DueTime = dueTime;
        Token = token;
    }

    internal WaitKind Kind { get; }

    /// <summary>How a message calls it.</summary>
    internal string Name { get; }

    internal IOperation? DueTime { get; }

    internal IOperation? Token { get; }

    internal bool IsInfinite => IsInfiniteTime(DueTime);

    internal static Wait Of(IOperation operation, KnownTypes types) => operation switch
    {
        IInvocationOperation invocation => OfInvocation(invocation, types),
        IObjectCreationOperation creation => OfCreation(creation, types),
        _ => default,
    };

    private static Wait OfInvocation(IInvocationOperation invocation, KnownTypes types)
    {
        var method = invocation.TargetMethod;
        switch (method.Name)
        {
            case "Delay" when KnownTypes.Same(method.ContainingType, types.Task):
                // A delay of zero has completed before anybody awaits it.
                return IsZero(First(invocation.Arguments)) ? default
                    : Make(WaitKind.Delay, "Task.Delay", invocation.Arguments);
            case "Sleep" when KnownTypes.Same(method.ContainingType, types.Thread):
                return IsZero(First(invocation.Arguments)) ? default
                    : Make(WaitKind.Sleep, "Thread.Sleep", invocation.Arguments);
            case "CancelAfter" when KnownTypes.Same(method.ContainingType, types.CancellationTokenSource):
                return IsInfiniteTime(First(invocation.Arguments)) ? default
                    : Make(WaitKind.CancelAfter, "CancelAfter", invocation.Arguments);
            case "WaitAsync" when KnownTypes.Is(method.ContainingType, types.Task)
                && IsTime(First(invocation.Arguments)) && !IsInfiniteTime(First(invocation.Arguments)):
                return Make(WaitKind.WaitAsync, "WaitAsync", invocation.Arguments);
            default:
                return default;
        }
    }

    private static Wait OfCreation(IObjectCreationOperation creation, KnownTypes types)
    {
        var type = creation.Type;
        if (KnownTypes.Same(type, types.PeriodicTimer))
        {
            return Make(WaitKind.PeriodicTimer, "new PeriodicTimer", creation.Arguments);
        }

        if (KnownTypes.Same(type, types.ThreadingTimer))
        {
            return new Wait(WaitKind.Timer, "new Timer", null, null);
        }

        if (KnownTypes.Same(type, types.ComponentTimer))
        {
            return new Wait(WaitKind.Timer, "new System.Timers.Timer", null, null);
        }

        return KnownTypes.Same(type, types.CancellationTokenSource) && creation.Arguments.Length > 0
            && !IsInfiniteTime(First(creation.Arguments))
            ? Make(WaitKind.TimeoutSource, "new CancellationTokenSource", creation.Arguments)
            : default;
    }

    private static Wait Make(WaitKind kind, string name, ImmutableArray<IArgumentOperation> arguments)
    {
        IOperation? token = null;
        foreach (var argument in arguments)
        {
            switch (argument.Parameter?.Type.Name)
            {
                case "TimeProvider":
                    return default;
                case "CancellationToken":
                    token = argument.Value;
                    break;
            }
        }

        return new Wait(kind, name, First(arguments), token);
    }

    /// <summary>Finds the value of the first parameter, wherever its argument stands.</summary>
    private static IOperation? First(ImmutableArray<IArgumentOperation> arguments) =>
        arguments.FirstOrDefault(static argument => argument.Parameter?.Ordinal == 0)?.Value;

    private static bool IsTime(IOperation? value) => value?.Type?.Name == "TimeSpan";

    private static bool IsZero(IOperation? value) =>
        value is { ConstantValue: { HasValue: true, Value: 0 } }
            || value is IFieldReferenceOperation { Field: { Name: "Zero", ContainingType.Name: "TimeSpan" } }
            || value is IDefaultValueOperation;

    private static bool IsInfiniteTime(IOperation? value) =>
        value is { ConstantValue: { HasValue: true, Value: -1 } }
            || value is IFieldReferenceOperation { Field.Name: "InfiniteTimeSpan" };
}
