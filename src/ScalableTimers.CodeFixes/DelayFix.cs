namespace ScalableTimers.CodeFixes;

/// <summary>STM001: replaces .NET's delays in a grain with those of its <c>IGrainDelay</c>.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(DelayFix)), Shared]
public sealed class DelayFix : CodeFixProvider
{
    internal const string Title = "Wait with IGrainDelay";

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
            // Only trying the fix shows whether it is possible, and that is fast.
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

    /// <summary>Fixes one finding; false, without any change, if that is not safe.</summary>
    private static async Task<bool> TryFixAsync(SolutionEdit edit, Finding finding)
    {
        if (await edit.ReachAsync(finding).ConfigureAwait(false) is not { } receiver)
        {
            return false;
        }

        var editor = await edit.EditorAsync(finding.Document).ConfigureAwait(false);
        editor.ReplaceNode(finding.Node, (current, generator) =>
        {
            var arguments = ((InvocationExpressionSyntax)current).ArgumentList;
            var call = Fragments.Call(
                receiver, finding.Replacement, Fragments.Arguments(generator, arguments, finding.Wait.DueTime));
            return (finding.Wait.IsAwaited ? call : Fragments.AsTask(call)).WithTriviaFrom(current);
        });
        return true;
    }
}
