namespace ScalableTimers.Analyzers.Timeouts;

/// <summary>Tells whether a disposable value is, or may be, disposed.</summary>
internal static class Ownership
{
    /// <summary>Whether a value is never disposed: it is dropped, or stays in a local that is not disposed.</summary>
    internal static bool IsNeverDisposed(IOperation value)
    {
        var holder = Surroundings.Outermost(value);
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
    private static IEnumerable<ILocalReferenceOperation> ReferencesTo(ILocalSymbol local, IOperation around) =>
        Surroundings.Root(around).Descendants().OfType<ILocalReferenceOperation>()
            .Where(reference => KnownTypes.Same(reference.Local, local));

    private static bool IsUsing(IVariableDeclaratorOperation declarator)
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
        var holder = Surroundings.Outermost(reference);
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
}
