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

    /// <summary>Finds the nested function that an operation is in; null if it is in the member's own code.</summary>
    internal static SyntaxNode? Function(IOperation operation)
    {
        IOperation? current = operation;
        while (current is not (null or IAnonymousFunctionOperation or ILocalFunctionOperation))
        {
            current = current.Parent;
        }

        return current?.Syntax;
    }

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
