namespace ScalableTimers.Analyzers;

/// <summary>What becomes of a value that somebody has to dispose.</summary>
internal static class Ownership
{
    /// <summary>Whether nobody can dispose a value: it is dropped, or stays in a local that nobody disposes.</summary>
    internal static bool IsNeverDisposed(IOperation value)
    {
        var holder = Outermost(value);
        return holder.Parent switch
        {
            IExpressionStatementOperation => true,
            ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
            ISimpleAssignmentOperation { Target: ILocalReferenceOperation local } =>
                IsNeverDisposed(local.Local, value),
            IPropertyReferenceOperation or IFieldReferenceOperation => true,
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } =>
                !IsUsing(declarator) && IsNeverDisposed(declarator.Symbol, value),
            _ => false,
        };
    }

    /// <summary>Finds the references to a local in the code around an operation.</summary>
    internal static IEnumerable<ILocalReferenceOperation> ReferencesTo(ILocalSymbol local, IOperation around) =>
        Root(around).Descendants().OfType<ILocalReferenceOperation>()
            .Where(reference => KnownTypes.Same(reference.Local, local));

    /// <summary>Goes up through conversions and parentheses.</summary>
    internal static IOperation Outermost(IOperation operation)
    {
        while (operation.Parent is IConversionOperation or IParenthesizedOperation)
        {
            operation = operation.Parent;
        }

        return operation;
    }

    /// <summary>Whether two operations run together, and not one of them in a function that may run later.</summary>
    internal static bool AreInOneFunction(IOperation first, IOperation second) =>
        FunctionAround(first) == FunctionAround(second);

    internal static bool IsInFunction(IOperation operation) => FunctionAround(operation) is not null;

    /// <summary>Whether the function around an operation has a local that cannot live across an <c>await</c>.</summary>
    internal static bool HasLocalsOfTheStack(IOperation operation)
    {
        var function = FunctionAround(operation);
        return Root(operation).Descendants().Any(part => FunctionAround(part) == function && part switch
        {
            IVariableDeclaratorOperation { Symbol: var local } => local.IsRef || local.Type.IsRefLikeType,
            IForEachLoopOperation { Collection.Type: { } collection } => collection.IsRefLikeType,
            _ => false,
        });
    }

    internal static bool IsUsing(IVariableDeclaratorOperation declarator)
    {
        IOperation? current = declarator;
        while (current is IVariableDeclaratorOperation or IVariableDeclarationOperation
            or IVariableDeclarationGroupOperation)
        {
            current = current.Parent;
        }

        return current is IUsingDeclarationOperation or IUsingOperation;
    }

    private static bool IsNeverDisposed(ILocalSymbol local, IOperation value) =>
        ReferencesTo(local, value).All(static reference => !MayDispose(reference));

    private static bool MayDispose(ILocalReferenceOperation reference)
    {
        var holder = Outermost(reference);
        return holder.Parent switch
        {
            IInvocationOperation call when call.Instance == holder =>
                call.TargetMethod.Name is "Dispose" or "DisposeAsync" or "Unregister",
            IConditionalAccessOperation => true,
            IPropertyReferenceOperation or IFieldReferenceOperation => false,
            IAssignmentOperation assignment => assignment.Target != holder,
            IExpressionStatementOperation or IBinaryOperation => false,
            _ => true,
        };
    }

    private static SyntaxNode? FunctionAround(IOperation operation)
    {
        IOperation? current = operation;
        while (current is not (null or IAnonymousFunctionOperation or ILocalFunctionOperation))
        {
            current = current.Parent;
        }

        return current?.Syntax;
    }

    private static IOperation Root(IOperation operation)
    {
        while (operation.Parent is not null)
        {
            operation = operation.Parent;
        }

        return operation;
    }
}
