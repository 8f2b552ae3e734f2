namespace ScalableTimers.CodeFixes;

/// <summary>Removes <c>ConfigureAwait(false)</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(ConfigureAwaitFix)), Shared]
public sealed class ConfigureAwaitFix : RuleFix
{
    /// <summary>Creates the fix.</summary>
    public ConfigureAwaitFix() : base("Resume in the grain", Rules.ConfigureAwaitInGrain.Id)
    {
    }

    private protected override async Task<bool> TryFixAsync(SolutionEdit edit, Finding finding)
    {
        if (finding.Node is not InvocationExpressionSyntax
            {
                Parent: AwaitExpressionSyntax,
                Expression: MemberAccessExpressionSyntax access,
            } call
            || LosesTrivia(access))
        {
            return false;
        }

        var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);
        editor.ReplaceNode(
            call, (current, _) =>
                ((MemberAccessExpressionSyntax)((InvocationExpressionSyntax)current).Expression).Expression
                    .WithTriviaFrom(current));
        return true;
    }

    private static bool LosesTrivia(MemberAccessExpressionSyntax access) =>
        Fragments.HasCommentsOrDirectives(access.Expression.GetTrailingTrivia()
            .Concat(access.OperatorToken.GetAllTrivia())
            .Concat(access.Name.GetLeadingTrivia()));
}
