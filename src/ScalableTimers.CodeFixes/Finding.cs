namespace ScalableTimers.CodeFixes;

/// <summary>A delay that may be fixed, and the code around it.</summary>
internal sealed class Finding(
    Document document,
    SemanticModel model,
    InvocationExpressionSyntax node,
    INamedTypeSymbol type,
    KnownTypes types,
    Wait wait,
    string replacement)
{
    internal Document Document { get; } = document;

    internal SemanticModel Model { get; } = model;

    internal InvocationExpressionSyntax Node { get; } = node;

    internal INamedTypeSymbol Type { get; } = type;

    internal KnownTypes Types { get; } = types;

    internal Wait Wait { get; } = wait;

    /// <summary>The name of the method that waits instead.</summary>
    internal string Replacement { get; } = replacement;

    /// <summary>Reads the code at a diagnostic; null if there is no fix for such code.</summary>
    internal static async Task<Finding?> OfAsync(SolutionEdit edit, Diagnostic diagnostic)
    {
        if (diagnostic.Properties[DelayInGrainAnalyzer.Replacement] is not { } replacement
            || edit.Solution.GetDocument(diagnostic.Location.SourceTree) is not { } document
            || await document.GetSyntaxRootAsync(edit.CancellationToken).ConfigureAwait(false) is not { } root
            || await document.GetSemanticModelAsync(edit.CancellationToken).ConfigureAwait(false) is not { } model
            || root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true)
                is not InvocationExpressionSyntax node
            || model.GetOperation(node, edit.CancellationToken) is not { } operation
            || MethodAround(model.GetEnclosingSymbol(node.SpanStart, edit.CancellationToken)) is not { } method)
        {
            return null;
        }

        var types = new KnownTypes(model.Compilation);
        return Wait.Of(operation, types) is { IsSleep: false } wait
            && node.ArgumentList.Arguments[0].Span.Contains(wait.DueTime.Syntax.Span)
            ? new Finding(document, model, node, method.ContainingType, types, wait, replacement)
            : null;
    }

    // Code outside methods, in constructors and in static functions has no instance, or an incomplete one.
    private static IMethodSymbol? MethodAround(ISymbol? symbol)
    {
        while (symbol is IMethodSymbol
            {
                IsStatic: false, MethodKind: MethodKind.AnonymousFunction or MethodKind.LocalFunction
            })
        {
            symbol = symbol.ContainingSymbol;
        }

        return symbol is IMethodSymbol { IsStatic: false, MethodKind: not MethodKind.Constructor } method
            ? method
            : null;
    }
}
