namespace ScalableTimers.Analyzers.Timeouts;

/// <summary>What becomes of the token of a lease.</summary>
internal static class LeaseToken
{
    /// <summary>Finds the uses of a lease's <c>Token</c>, also those by way of another local.</summary>
    internal static IEnumerable<IOperation> UsesOf(IVariableDeclaratorOperation lease)
    {
        foreach (var reference in Ownership.ReferencesTo(lease.Symbol, lease))
        {
            if (reference.Parent is not IPropertyReferenceOperation { Property.Name: "Token" } token)
            {
                continue;
            }

            if (token.Parent is IVariableInitializerOperation { Parent: IVariableDeclaratorOperation copy })
            {
                foreach (var use in Ownership.ReferencesTo(copy.Symbol, copy))
                {
                    yield return use;
                }
            }
            else
            {
                yield return token;
            }
        }
    }

    /// <summary>Tells how a use of the token outlives the block of its lease; null if that is not seen.</summary>
    internal static string? EscapeOf(IOperation use) => Surroundings.Outermost(use).Parent switch
    {
        IReturnOperation => "is returned",
        // Options of a call live as long as the call.
        IAssignmentOperation
        {
            Parent: IObjectOrCollectionInitializerOperation { Parent: IObjectCreationOperation options }
        } => EscapeOf(options),
        IAssignmentOperation { Target: IFieldReferenceOperation or IPropertyReferenceOperation } => "is stored",
        IArgumentOperation { Parent: IInvocationOperation { Type.Name: "Task" or "ValueTask" } call } =>
            EscapeOfTask(call),
        _ => null,
    };

    private static string? EscapeOfTask(IInvocationOperation call)
    {
        var value = Surroundings.Outermost(call);
        while (value.Parent is IInvocationOperation { TargetMethod.Name: "ConfigureAwait" or "AsTask" } chained)
        {
            value = Surroundings.Outermost(chained);
        }

        return value.Parent switch
        {
            IReturnOperation => "is used by a task that is returned",
            IExpressionStatementOperation => "is used by a task that is not awaited",
            IAssignmentOperation { Target: IDiscardOperation } => "is used by a task that is not awaited",
            IAssignmentOperation { Target: IFieldReferenceOperation or IPropertyReferenceOperation } =>
                "is used by a task that is stored",
            _ => null,
        };
    }
}
