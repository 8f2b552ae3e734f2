namespace ScalableTimers.CodeFixes;

/// <summary>A finding, and the code that it is about.</summary>
internal sealed class Finding
{
    private Finding(
        Document document,
        SemanticModel model,
        InvocationExpressionSyntax node,
        IOperation operation,
        ISymbol member,
        KnownTypes types,
        Wait wait)
    {
        Document = document;
        Model = model;
        Node = node;
        Operation = operation;
        Member = member;
        Types = types;
        Wait = wait;
    }

    internal Document Document { get; }

    internal SemanticModel Model { get; }

    internal InvocationExpressionSyntax Node { get; }

    internal IOperation Operation { get; }

    /// <summary>The method, property or field around the code, not a function in it.</summary>
    internal ISymbol Member { get; }

    internal KnownTypes Types { get; }

    internal Wait Wait { get; }

    internal static async Task<Finding?> OfAsync(SolutionEdit edit, Diagnostic diagnostic)
    {
        if (edit.Solution.GetDocument(diagnostic.Location.SourceTree) is not { } document
            || await document.GetSyntaxRootAsync(edit.CancellationToken).ConfigureAwait(false) is not { } root
            || await document.GetSemanticModelAsync(edit.CancellationToken).ConfigureAwait(false) is not { } model
            || root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true)
                is not InvocationExpressionSyntax node
            || model.GetOperation(node, edit.CancellationToken) is not { } operation
            || MemberAround(model.GetEnclosingSymbol(node.SpanStart, edit.CancellationToken)) is not { } member)
        {
            return null;
        }

        var types = new KnownTypes(model.Compilation);
        return Wait.Of(operation, types) is { } wait
            ? new Finding(document, model, node, operation, member, types, wait)
            : null;
    }

    private static ISymbol? MemberAround(ISymbol? symbol)
    {
        while (symbol?.ContainingSymbol is IMethodSymbol or IPropertySymbol or IFieldSymbol
            || symbol is IMethodSymbol { MethodKind: MethodKind.AnonymousFunction or MethodKind.LocalFunction })
        {
            symbol = symbol.ContainingSymbol;
        }

        return symbol?.ContainingType is null ? null : symbol;
    }
}
