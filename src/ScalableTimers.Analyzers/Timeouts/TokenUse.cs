namespace ScalableTimers.Analyzers.Timeouts;

/// <summary>One use of the token of a local, which is a source or a lease.</summary>
internal readonly struct TokenUse
{
    private TokenUse(IOperation operation)
    {
        Operation = operation;
    }

    internal IOperation Operation { get; }

    /// <summary>Tells how the token leaves the block of its source; null if it is not seen to.</summary>
    internal string? Escape => EscapeOf(Operation);

    /// <summary>Whether the token is seen to be used only while its source is.</summary>
    internal bool IsContained
    {
        get
        {
            var value = Ownership.Outermost(Operation);
            return value.Parent switch
            {
                IPropertyReferenceOperation { Property.Name: "IsCancellationRequested" } => true,
                IInvocationOperation { TargetMethod.Name: "ThrowIfCancellationRequested" } => true,
                IBinaryOperation => true,
                IArgumentOperation { Parent: IInvocationOperation call } => IsOver(call),
                _ => false,
            };
        }
    }

    /// <summary>Finds the uses of a local's <c>Token</c>, also those by way of another local.</summary>
    internal static IEnumerable<TokenUse> Of(IVariableDeclaratorOperation source)
    {
        foreach (var reference in Ownership.ReferencesTo(source.Symbol, source))
        {
            if (reference.Parent is not IPropertyReferenceOperation { Property.Name: "Token" } token)
            {
                continue;
            }

            if (token.Parent is IVariableInitializerOperation { Parent: IVariableDeclaratorOperation copy })
            {
                foreach (var use in Ownership.ReferencesTo(copy.Symbol, copy))
                {
                    yield return new TokenUse(use);
                }
            }
            else
            {
                yield return new TokenUse(token);
            }
        }
    }

    /// <summary>Whether a call has ended, with all that it began, before the next statement.</summary>
    private static bool IsOver(IInvocationOperation call)
    {
        // Other methods that return nothing may have begun something.
        if (call.Type?.SpecialType == SpecialType.System_Void)
        {
            return call.TargetMethod.Name == "Wait";
        }

        for (IOperation? current = call; current is not null; current = current.Parent)
        {
            switch (current)
            {
                case IAwaitOperation:
                    return true;
                // The one that the token is for goes on when they end.
                case IInvocationOperation { TargetMethod.Name: "WhenAny" or "WaitAsync" } when current != call:
                    return false;
                case IInvocationOperation or IArgumentOperation or IParenthesizedOperation or IConversionOperation:
                    continue;
                default:
                    return false;
            }
        }

        return false;
    }

    private static string? EscapeOf(IOperation operation) => Ownership.Outermost(operation).Parent switch
    {
        IReturnOperation => "is returned",
        // Options of a call live as long as the call.
        IAssignmentOperation
        {
            Parent: IObjectOrCollectionInitializerOperation { Parent: IObjectCreationOperation options }
        } => EscapeOf(options),
        IAssignmentOperation { Target: IFieldReferenceOperation or IPropertyReferenceOperation } => "is stored",
        IArgumentOperation { Parent: IInvocationOperation call } when IsTask(call.Type) => EscapeOfTask(call),
        _ => null,
    };

    private static string? EscapeOfTask(IInvocationOperation call)
    {
        var value = Ownership.Outermost(call);
        while (value.Parent is IInvocationOperation { TargetMethod.Name: "ConfigureAwait" or "AsTask" } chained)
        {
            value = Ownership.Outermost(chained);
        }

        return value.Parent switch
        {
            IReturnOperation => "is used by a task that is returned",
            IExpressionStatementOperation => "is used by a task that nobody awaits",
            IAssignmentOperation { Target: IDiscardOperation } => "is used by a task that nobody awaits",
            IAssignmentOperation { Target: IFieldReferenceOperation or IPropertyReferenceOperation } =>
                "is used by a task that is stored",
            _ => null,
        };
    }

    private static bool IsTask(ITypeSymbol? type) => type is { Name: "Task" or "ValueTask" };
}
