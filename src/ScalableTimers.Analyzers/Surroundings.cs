namespace ScalableTimers.Analyzers;

/// <summary>Finds the code around an operation.</summary>
internal static class Surroundings
{
    /// <summary>Goes up through conversions and parentheses.</summary>
    internal static IOperation Outermost(IOperation operation)
    {
        while (operation.Parent is IConversionOperation or IParenthesizedOperation)
        {
            operation = operation.Parent;
        }

        return operation;
    }

    /// <summary>Whether the value of an operation is not used.</summary>
    internal static bool IsDropped(IOperation operation) => Outermost(operation).Parent
        is IExpressionStatementOperation or ISimpleAssignmentOperation { Target: IDiscardOperation };

    /// <summary>Finds the member's own code.</summary>
    internal static IOperation Root(IOperation operation)
    {
        while (operation.Parent is not null)
        {
            operation = operation.Parent;
        }

        return operation;
    }
}
