namespace ScalableTimers.CodeFixes;

/// <summary>What can be awaited where.</summary>
internal static class Awaiting
{
    /// <summary>Whether an expression that is a statement can become an <c>await</c>.</summary>
    internal static bool IsPossibleAt(ExpressionSyntax expression, IOperation operation)
    {
        if (expression.Parent is not ExpressionStatementSyntax || HasLocalsOfTheStack(operation))
        {
            return false;
        }

        foreach (var around in expression.Ancestors())
        {
            switch (around)
            {
                case LockStatementSyntax or UnsafeStatementSyntax or CatchFilterClauseSyntax:
                    return false;
                case AnonymousFunctionExpressionSyntax function:
                    return function.AsyncKeyword.IsKind(SyntaxKind.AsyncKeyword);
                case LocalFunctionStatementSyntax function:
                    return function.Modifiers.Any(SyntaxKind.AsyncKeyword);
                case MethodDeclarationSyntax method:
                    return method.Modifiers.Any(SyntaxKind.AsyncKeyword)
                        && !method.Modifiers.Any(SyntaxKind.UnsafeKeyword);
                case MemberDeclarationSyntax:
                    return false;
            }
        }

        return false;
    }

    /// <summary>Whether a task is awaited where it stands, so that a <c>ValueTask</c> may take its place.</summary>
    internal static bool IsAwaitedAsTask(ExpressionSyntax task, SemanticModel model)
    {
        SyntaxNode awaited = task;
        while (awaited.Parent is ParenthesizedExpressionSyntax)
        {
            awaited = awaited.Parent;
        }

        if (awaited.Parent is MemberAccessExpressionSyntax { Name.Identifier.Text: "ConfigureAwait" } access
            && access.Expression == awaited
            && access.Parent is InvocationExpressionSyntax configured
            && model.GetSymbolInfo(configured).Symbol is IMethodSymbol { Parameters.Length: 1 } method
            && method.Parameters[0].Type.SpecialType == SpecialType.System_Boolean)
        {
            awaited = configured;
        }

        return awaited.Parent is AwaitExpressionSyntax;
    }

    /// <summary>Whether the function around an operation has a local that cannot live across an <c>await</c>.</summary>
    private static bool HasLocalsOfTheStack(IOperation operation)
    {
        var function = Surroundings.Function(operation);
        return Surroundings.Root(operation).Descendants()
            .Any(part => Surroundings.Function(part) == function && part switch
            {
                IVariableDeclaratorOperation { Symbol: var local } => local.IsRef || local.Type.IsRefLikeType,
                IForEachLoopOperation { Collection.Type: { } collection } => collection.IsRefLikeType,
                _ => false,
            });
    }
}
