namespace ScalableTimers.Analyzers;

/// <summary>Where an operation is: in a grain, in a transaction, or in neither.</summary>
internal static class Place
{
    private const string DeactivationMethod = "OnDeactivateAsync";

    /// <summary>Whether a member's code belongs to an activation. That of a static member belongs to none.</summary>
    internal static bool IsInGrain(ISymbol member, KnownTypes types) =>
        !member.IsStatic && types.IsGrain(member.ContainingType);

    internal static bool IsDeactivation(ISymbol member, KnownTypes types) =>
        member is IMethodSymbol method && IsInGrain(member, types)
            && (method.Name == DeactivationMethod
                || method.ExplicitInterfaceImplementations.Any(static m => m.Name == DeactivationMethod));

    /// <summary>Whether an operation is in a method of a transaction, or in a function that runs in one.</summary>
    internal static bool IsInTransaction(IOperation operation, ISymbol member, KnownTypes types)
    {
        if (member is IMethodSymbol method && (types.Transaction ?? types.TransactionWithDeadline) is not null
            && TransactionMethods.Runs(method, types))
        {
            return true;
        }

        foreach (var caller in CallersOfFunctionsAround(operation))
        {
            var (name, owner) = (caller.TargetMethod.Name, caller.TargetMethod.ContainingType);
            if (name == "RunTransaction" && KnownTypes.Is(owner, types.TransactionClient)
                || name is "PerformRead" or "PerformUpdate" && IsOnTransactionalState(caller, types))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether an operation is in a function that the thread pool runs, outside of a grain's turns.</summary>
    internal static bool IsOnPool(IOperation operation) =>
        CallersOfFunctionsAround(operation).Any(static caller =>
            (caller.TargetMethod.Name, caller.TargetMethod.ContainingType.Name) is
                ("Run", "Task") or ("QueueUserWorkItem" or "UnsafeQueueUserWorkItem", "ThreadPool"));

    /// <summary>Finds the calls that the anonymous functions around an operation are arguments of.</summary>
    private static IEnumerable<IInvocationOperation> CallersOfFunctionsAround(IOperation operation)
    {
        for (var current = operation.Parent; current is not null; current = current.Parent)
        {
            if (current is not IAnonymousFunctionOperation)
            {
                continue;
            }

            var value = current.Parent;
            while (value is IDelegateCreationOperation or IConversionOperation)
            {
                value = value.Parent;
            }

            if (value is IArgumentOperation { Parent: IInvocationOperation caller })
            {
                yield return caller;
            }
        }
    }

    // Also the extension methods on it.
    private static bool IsOnTransactionalState(IInvocationOperation call, KnownTypes types) =>
        KnownTypes.Is(call.Instance?.Type ?? call.Arguments.FirstOrDefault()?.Value.Type, types.TransactionalState);
}
