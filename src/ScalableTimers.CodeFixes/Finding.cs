namespace ScalableTimers.CodeFixes;

/// <summary>A finding, and the code that it is about.</summary>
internal sealed class Finding
{
    private Finding(Document document, SemanticModel model, SyntaxNode node, IOperation operation, ISymbol member)
    {
        Document = document;
        Model = model;
        Node = node;
        Operation = operation;
        Member = member;
        Types = new KnownTypes(model.Compilation);
    }

    internal Document Document { get; }

    internal SemanticModel Model { get; }

    internal SyntaxNode Node { get; }

    internal IOperation Operation { get; }

    /// <summary>The method, property or field around the code, not a function in it.</summary>
    internal ISymbol Member { get; }

    internal KnownTypes Types { get; }

    internal static async Task<Finding?> OfAsync(SolutionEdit edit, Diagnostic diagnostic)
    {
        if (edit.Solution.GetDocument(diagnostic.Location.SourceTree) is not { } document
            || await document.GetSyntaxRootAsync(edit.CancellationToken).ConfigureAwait(false) is not { } root
            || await document.GetSemanticModelAsync(edit.CancellationToken).ConfigureAwait(false) is not { } model)
        {
            return null;
        }

        var node = root.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
        var operation = model.GetOperation(node, edit.CancellationToken);
        var member = model.GetEnclosingSymbol(node.SpanStart, edit.CancellationToken);
        while (member?.ContainingSymbol is IMethodSymbol or IPropertySymbol or IFieldSymbol
            || member is IMethodSymbol { MethodKind: MethodKind.AnonymousFunction or MethodKind.LocalFunction })
        {
            member = member.ContainingSymbol;
        }

        return operation is null || member?.ContainingType is null
            ? null
            : new Finding(document, model, node, operation, member);
    }
}
