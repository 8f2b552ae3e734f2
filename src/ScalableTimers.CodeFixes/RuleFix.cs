namespace ScalableTimers.CodeFixes;

/// <summary>The fix of a rule, for one finding or for all findings of a solution in one go.</summary>
public abstract class RuleFix : CodeFixProvider
{
    private readonly string _title;

    private protected RuleFix(string title, params string[] rules)
    {
        _title = title;
        FixableDiagnosticIds = ImmutableArray.Create(rules);
    }

    /// <inheritdoc/>
    public sealed override ImmutableArray<string> FixableDiagnosticIds { get; }

    /// <inheritdoc/>
    public sealed override FixAllProvider GetFixAllProvider() => RuleFixAll.Instance;

    /// <inheritdoc/>
    public sealed override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var solution = context.Document.Project.Solution;
        foreach (var finding in context.Diagnostics)
        {
            // Whether a finding can be fixed is known only when that has been done, and it is done soon.
            var @fixed = await ApplyAsync(solution, [finding], context.CancellationToken).ConfigureAwait(false);
            if (@fixed is not null)
            {
                context.RegisterCodeFix(
                    CodeAction.Create(_title, _ => Task.FromResult(@fixed), equivalenceKey: GetType().Name), finding);
            }
        }
    }

    internal string Title => _title;

    /// <summary>Fixes what can be fixed; null if nothing can.</summary>
    internal async Task<Solution?> ApplyAsync(
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
    private protected abstract Task<bool> TryFixAsync(SolutionEdit edit, Finding finding);
}
