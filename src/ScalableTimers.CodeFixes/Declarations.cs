namespace ScalableTimers.CodeFixes;

/// <summary>Changes of declarations of locals.</summary>
internal static class Declarations
{
    internal static void UseVar(SyntaxEditor editor, VariableDeclarationSyntax declaration)
    {
        if (!declaration.Type.IsVar)
        {
            editor.ReplaceNode(
                declaration.Type, SyntaxFactory.IdentifierName("var").WithTriviaFrom(declaration.Type));
        }
    }
}
