namespace ScalableTimers.CodeFixes;

/// <summary>Fixes all findings together, so that a class gets one parameter for all of them.</summary>
internal sealed class DelayFixAll : FixAllProvider
{
    internal static readonly DelayFixAll Instance = new();

    public override async Task<CodeAction?> GetFixAsync(FixAllContext fixAllContext)
    {
        var findings = await FindingsAsync(fixAllContext).ConfigureAwait(false);
        var solution = fixAllContext.Solution;
        return CodeAction.Create(
            DelayFix.Title,
            async cancellationToken =>
                await DelayFix.ApplyAsync(solution, findings, cancellationToken).ConfigureAwait(false) ?? solution,
            equivalenceKey: DelayFix.Title);
    }

    private static async Task<IEnumerable<Diagnostic>> FindingsAsync(FixAllContext context)
    {
        if (context is { Scope: FixAllScope.Document, Document: { } document })
        {
            return await context.GetDocumentDiagnosticsAsync(document).ConfigureAwait(false);
        }

        var findings = new List<Diagnostic>();
        foreach (var project in context.Scope == FixAllScope.Solution ? context.Solution.Projects : [context.Project])
        {
            findings.AddRange(await context.GetAllDiagnosticsAsync(project).ConfigureAwait(false));
        }

        return findings;
    }
}
