namespace ScalableTimers.CodeFixes;

/// <summary>STM001: replaces .NET's delays in a grain by those of its <c>IGrainDelay</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(DelayFix)), Shared]
public sealed class DelayFix : CodeFixProvider
{
    internal const string Title = "Wait by IGrainDelay";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Rules.DelayInGrain.Id);

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => DelayFixAll.Instance;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var solution = context.Document.Project.Solution;
        foreach (var finding in context.Diagnostics)
        {
            // Whether a finding can be fixed is known only when that has been done, and it is done soon.
            var @fixed = await ApplyAsync(solution, [finding], context.CancellationToken).ConfigureAwait(false);
            if (@fixed is not null)
            {
                context.RegisterCodeFix(
                    CodeAction.Create(Title, _ => Task.FromResult(@fixed), equivalenceKey: Title), finding);
            }
        }
    }

    /// <summary>Fixes what can be fixed; null if nothing can.</summary>
    internal static async Task<Solution?> ApplyAsync(
        Solution solution, IEnumerable<Diagnostic> findings, CancellationToken cancellationToken)
    {
        var edit = new SolutionEdit(solution, cancellationToken);
        var isChanged = false;
        foreach (var finding in findings)
        {
            if (await Finding.OfAsync(edit, finding).ConfigureAwait(false) is { } found)
            {
                isChanged |= await TryFixAsync(edit, found).ConfigureAwait(false);
            }
        }

        return isChanged ? edit.Apply() : null;
    }

    /// <summary>Fixes one finding; false, with nothing changed, if that cannot be done safely.</summary>
    private static async Task<bool> TryFixAsync(SolutionEdit edit, Finding finding)
    {
        var wait = finding.Wait;
        if (wait.IsSleep && !Awaiting.IsPossibleAt(finding.Node, finding.Operation)
            || await edit.ReachAsync(finding).ConfigureAwait(false) is not { } receiver)
        {
            return false;
        }

        var method = Place.IsDeactivation(finding.Member, finding.Types) ? "DelayIgnoringDeactivation" : "Delay";
        var isAwaitedAsTask = wait.IsSleep || Awaiting.IsAwaitedAsTask(finding.Node, finding.Model);
        var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);

        // In the arguments may be another finding, which is fixed together with this one.
        editor.ReplaceNode(finding.Node, (current, generator) =>
        {
            var arguments = ((InvocationExpressionSyntax)current).ArgumentList;
            ExpressionSyntax call = Fragments.Call(receiver, method, Fragments.Arguments(generator, arguments, wait));
            call = wait.IsSleep ? SyntaxFactory.AwaitExpression(call)
                : isAwaitedAsTask ? call
                : Fragments.AsTask(call);
            return call.WithTriviaFrom(current);
        });
        return true;
    }
}
