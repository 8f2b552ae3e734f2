using ScalableTimers.Analyzers.Delays;

namespace ScalableTimers.CodeFixes;

/// <summary>Replaces a <c>try</c> that swallows the cancellation of a delay by <c>TryDelay</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(SwallowedDelayFix)), Shared]
public sealed class SwallowedDelayFix : RuleFix
{
    /// <summary>Creates the fix.</summary>
    public SwallowedDelayFix() : base("Use TryDelay", Rules.SwallowedDelay.Id)
    {
    }

    private protected override async Task<bool> TryFixAsync(SolutionEdit edit, Finding finding)
    {
        var statement = finding.Node.FirstAncestorOrSelf<TryStatementSyntax>();
        if (statement is null
            || finding.Model.GetOperation(statement, edit.CancellationToken) is not ITryOperation attempt
            || SwallowedDelay.Of(attempt, finding.Types) is not { } swallowed
            || swallowed.Delay.Arguments.FirstOrDefault(static argument => argument.Parameter?.Ordinal == 0)?.Value
                is not { } dueTime
            || SwallowedDelay.TokenOf(swallowed.Delay) is not { } token
            || LosesTrivia(statement))
        {
            return false;
        }

        var service = swallowed.Service?.Syntax.ToString()
            ?? await edit.ReachAsync(finding, finding.Types.TimerService, "timers").ConfigureAwait(false);
        if (service is null)
        {
            return false;
        }

        var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);
        var delay = Fragments.Call(
            service,
            "TryDelay",
            Fragments.Arguments(
                editor.Generator, ((InvocationExpressionSyntax)finding.Node).ArgumentList, dueTime, token));
        var awaited = finding.Node.FirstAncestorOrSelf<AwaitExpressionSyntax>()!;
        var @await = awaited.ReplaceNode(finding.Node, delay).WithoutTrivia();
        StatementSyntax replacement = swallowed.Exit is null
            ? SyntaxFactory.ExpressionStatement(@await)
            : SyntaxFactory.IfStatement(
                SyntaxFactory.PrefixUnaryExpression(SyntaxKind.LogicalNotExpression, @await),
                statement.Catches[0].Block.WithoutTrivia());
        if (swallowed.Exit is not null
            && statement.Parent is not (BlockSyntax or SwitchSectionSyntax or GlobalStatementSyntax))
        {
            // An else that follows would become one of the new if.
            replacement = SyntaxFactory.Block(replacement);
        }

        editor.ReplaceNode(
            statement,
            replacement.WithTriviaFrom(statement)
                .WithAdditionalAnnotations(Microsoft.CodeAnalysis.Formatting.Formatter.Annotation));
        return true;
    }

    // A comment may say why the cancellation is swallowed, and would be lost. Within a block that stays, it stays.
    private static bool LosesTrivia(TryStatementSyntax statement)
    {
        var handler = statement.Catches[0].Block;
        var kept = handler.Statements.Count == 0 ? default : handler.Span;
        return Fragments.HasCommentsOrDirectives(
            statement.DescendantTrivia().Where(trivia => statement.Span.Contains(trivia.Span)
                && !kept.Contains(trivia.Span)));
    }
}
