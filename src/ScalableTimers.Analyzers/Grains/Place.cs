namespace ScalableTimers.Analyzers.Grains;

/// <summary>Tells where code is.</summary>
internal static class Place
{
    /// <summary>Whether a member's code belongs to an activation. A static member's code does not.</summary>
    internal static bool IsInGrain(ISymbol member, KnownTypes types) =>
        !member.IsStatic && types.IsGrain(member.ContainingType);

    /// <summary>
    /// Finds the local function or member that an operation is in. A lambda belongs to the code that it is written in.
    /// </summary>
    internal static ISymbol Function(IOperation operation, ISymbol member)
    {
        var current = operation.Parent;
        while (current is not (null or ILocalFunctionOperation))
        {
            current = current.Parent;
        }

        return current is ILocalFunctionOperation function ? function.Symbol : member;
    }

    /// <summary>Finds the places around an operation within its function.</summary>
    /// <param name="operation">A wait, or a call of a function that waits.</param>
    /// <param name="isCaught">Whether the code after the operation runs although the wait was cancelled.</param>
    /// <param name="types">The types of the compilation.</param>
    internal static Places Around(IOperation operation, bool isCaught, KnownTypes types)
    {
        var places = Places.Call;
        var child = operation;
        while (child.Parent is { } parent and not ILocalFunctionOperation)
        {
            switch (parent)
            {
                case ILoopOperation when isCaught:
                    places |= Places.Loop;
                    break;
                case ITryOperation @try when !isCaught && child == @try.Body && Catches.After(@try) is { } after:
                    isCaught = true;
                    parent = after;
                    break;
                case IInvocationOperation { TargetMethod.Name: "RegisterGrainTimer" or "RegisterTimer" }:
                    places |= Places.Unretried;
                    break;
                case IInvocationOperation { TargetMethod: { Name: "Run", ContainingType: var type } } call
                    when KnownTypes.Same(type, types.Task) && IsForgotten(call):
                    places |= Places.Detached;
                    break;
            }

            child = parent;
        }

        return places;
    }

    /// <summary>Whether nobody waits for a task. <c>Ignore</c> is what Orleans has for that.</summary>
    private static bool IsForgotten(IInvocationOperation call) => Surroundings.IsDropped(call)
        || Surroundings.Outermost(call).Parent is IArgumentOperation
        {
            Parent: IInvocationOperation { TargetMethod.Name: "Ignore" },
        };

    /// <summary>Finds the places that a function is because of who calls it.</summary>
    internal static Places Of(ISymbol function)
    {
        // Also as IGrainBase.OnDeactivateAsync.
        if (function.Name.EndsWith("OnDeactivateAsync", StringComparison.Ordinal))
        {
            return Places.Deactivation;
        }

        for (var method = function as IMethodSymbol; method is not null; method = method.OverriddenMethod)
        {
            if (Declarations(method).Any(IsUnretried))
            {
                return Places.Unretried;
            }
        }

        return Places.Call;
    }

    /// <summary>Finds a method and the methods of interfaces that it implements.</summary>
    private static IEnumerable<IMethodSymbol> Declarations(IMethodSymbol method) =>
        method.ContainingType.AllInterfaces
            .SelectMany(static type => type.GetMembers().OfType<IMethodSymbol>())
            .Where(declared =>
                KnownTypes.Same(method.ContainingType.FindImplementationForInterfaceMember(declared), method))
            .Append(method);

    private static bool IsUnretried(IMethodSymbol method) =>
        method is { Name: "ReceiveReminder", ContainingType.Name: "IRemindable" }
            || method.GetAttributes().Any(static attribute => attribute.AttributeClass?.Name == "OneWayAttribute");
}
