namespace ScalableTimers.CodeFixes;

/// <summary>Fixes all findings together, so that a class gets one parameter for all of them.</summary>
internal sealed class RuleFixAll : FixAllProvider
{
    internal static readonly RuleFixAll Instance = new();

    public override async Task<CodeAction?> GetFixAsync(FixAllContext fixAllContext)
    {
        var fix = (RuleFix)fixAllContext.CodeFixProvider;
        var findings = await FindingsAsync(fixAllContext).ConfigureAwait(false);
        var solution = fixAllContext.Solution;
        return CodeAction.Create(
            fix.Title,
            async cancellationToken =>
                await fix.ApplyAsync(solution, findings, cancellationToken).ConfigureAwait(false) ?? solution,
            equivalenceKey: fix.GetType().Name);
    }

    private static async Task<IEnumerable<Diagnostic>> FindingsAsync(FixAllContext context)
    {
        var findings = new List<Diagnostic>();
        switch (context.Scope)
        {
            case FixAllScope.Document when context.Document is { } document:
                findings.AddRange(await context.GetDocumentDiagnosticsAsync(document).ConfigureAwait(false));
                break;
            case FixAllScope.Project:
                findings.AddRange(await context.GetAllDiagnosticsAsync(context.Project).ConfigureAwait(false));
                break;
            case FixAllScope.Solution:
                foreach (var project in context.Solution.Projects)
                {
                    findings.AddRange(await context.GetAllDiagnosticsAsync(project).ConfigureAwait(false));
                }

                break;
        }

        return findings;
    }
}
