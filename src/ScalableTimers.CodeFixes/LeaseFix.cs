using ScalableTimers.Analyzers.Timeouts;

namespace ScalableTimers.CodeFixes;

/// <summary>Adds a <c>using</c> to a local lease.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(LeaseFix)), Shared]
public sealed class LeaseFix : RuleFix
{
    /// <summary>Creates the fix.</summary>
    public LeaseFix() : base("Dispose the lease", Rules.UndisposedLease.Id)
    {
    }

    private protected override async Task<bool> TryFixAsync(SolutionEdit edit, Finding finding)
    {
        var declaration = finding.Node.FirstAncestorOrSelf<LocalDeclarationStatementSyntax>();
        if (declaration is not { Parent: BlockSyntax, Declaration.Variables: [{ Initializer.Value: var value }] }
            || value != finding.Node
            || finding.Model.GetDeclaredSymbol(declaration.Declaration.Variables[0]) is not ILocalSymbol local
            || finding.Node.SyntaxTree.Options is not CSharpParseOptions { LanguageVersion: >= LanguageVersion.CSharp8 }
            || finding.Model.GetOperation(declaration.Declaration.Variables[0], edit.CancellationToken)
                is not IVariableDeclaratorOperation declarator
            || Ownership.ReferencesTo(local, finding.Operation).Any(reference =>
                IsAssigned(reference) || !Ownership.AreInOneFunction(reference, declarator))
            || !TokenUse.Of(declarator).All(use =>
                use.IsContained && Ownership.AreInOneFunction(use.Operation, declarator)))
        {
            // Disposed at the end of the block, the token would become that of another lease while it is still used.
            return false;
        }

        var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);
        editor.ReplaceNode(
            declaration,
            declaration.WithoutLeadingTrivia()
                .WithUsingKeyword(SyntaxFactory.Token(SyntaxKind.UsingKeyword).WithTrailingTrivia(SyntaxFactory.Space))
                .WithLeadingTrivia(declaration.GetLeadingTrivia()));
        return true;
    }

    private static bool IsAssigned(ILocalReferenceOperation reference) =>
        reference.Parent is IAssignmentOperation assignment && assignment.Target == reference;
}
