using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Diagnostics;
using ScalableTimers.Analyzers.Grains;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests.Verification;

/// <summary>Assertions for tests of the rules.</summary>
internal static class Verify
{
    private static readonly DelayInGrainAnalyzer s_analyzer = new();
    private static readonly DelayFix s_fix = new();

    /// <summary>Asserts that an analyzer finds what is marked, and nothing else.</summary>
    internal static async Task FindsAsync<TAnalyzer>(string source)
        where TAnalyzer : DiagnosticAnalyzer, new()
    {
        var markup = new Markup(source);
        var solution = TestSolution.Of(withUsings: true, [markup.Before]);

        await TestSolution.AssertCompilesAsync(solution);
        await AssertFindsAsync(solution, [[markup]], new TAnalyzer());
    }

    /// <summary>Asserts that no finding has a fix.</summary>
    internal static Task HasNoFixAsync(string source) => FixesAsync(source);

    /// <inheritdoc cref="FixesAsync(string[][], bool)"/>
    internal static Task FixesAsync(string source, bool withUsings = true) => FixesAsync([[source]], withUsings);

    /// <summary>Asserts that fixing all findings makes the marked changes, and that the result compiles.</summary>
    /// <param name="projects">The sources of each project.</param>
    /// <param name="withUsings">Whether the sources need no <c>using</c>.</param>
    internal static async Task FixesAsync(string[][] projects, bool withUsings = true)
    {
        Markup[][] markups = [.. projects.Select(static sources => sources.Select(s => new Markup(s)).ToArray())];
        var solution = TestSolution.Of(
            withUsings,
            [.. markups.Select(static project => project.Select(static markup => markup.Before).ToArray())]);
        await TestSolution.AssertCompilesAsync(solution);
        await AssertFindsAsync(solution, markups, s_analyzer);

        var all = markups.SelectMany(static project => project).ToList();
        await AssertSourcesAsync(all, await FixAllAsync(solution));
        if (all.Sum(static markup => markup.Spans.Count) == 1
            || all.All(static markup => markup.After == markup.Before))
        {
            await AssertSourcesAsync(all, await FixFirstAsync(solution));
        }
    }

    private static async Task AssertFindsAsync(Solution solution, Markup[][] markups, DiagnosticAnalyzer analyzer)
    {
        foreach (var (project, marked) in solution.Projects.Zip(markups))
        {
            var findings = await TestSolution.FindingsAsync(project, analyzer);
            var found = findings.Select(static f => (f.Location.SourceTree!.ToString(), f.Location.SourceSpan));
            var expected = marked.SelectMany(static markup => markup.Spans.Select(span => (Code: markup.Before, span)));
            Assert.Equal(
                expected.Select(static f => f.Code.Substring(f.span.Start, f.span.Length) + " at " + f.span.Start),
                found.Select(static f =>
                    f.Item1.Substring(f.SourceSpan.Start, f.SourceSpan.Length) + " at " + f.SourceSpan.Start));
        }
    }

    private static async Task<Solution> FixFirstAsync(Solution solution)
    {
        CodeAction? action = null;
        var first = (await TestSolution.FindingsAsync(solution.Projects.First(), s_analyzer))[0];
        var document = solution.GetDocument(first.Location.SourceTree)!;
        await s_fix.RegisterCodeFixesAsync(new CodeFixContext(
            document, first, (found, _) => action = found, TestContext.Current.CancellationToken));
        return action is null ? solution : await ApplyAsync(action, solution);
    }

    private static async Task<Solution> FixAllAsync(Solution solution)
    {
        var context = new FixAllContext(
            TestSolution.TestDocuments(solution).First(),
            s_fix,
            FixAllScope.Solution,
            codeActionEquivalenceKey: null!,
            s_fix.FixableDiagnosticIds,
            new Findings(),
            TestContext.Current.CancellationToken);
        return await ApplyAsync((await s_fix.GetFixAllProvider().GetFixAsync(context))!, solution);
    }

    private static async Task<Solution> ApplyAsync(CodeAction action, Solution solution)
    {
        var operations = await action.GetOperationsAsync(TestContext.Current.CancellationToken);
        return operations.OfType<ApplyChangesOperation>().SingleOrDefault()?.ChangedSolution ?? solution;
    }

    private static async Task AssertSourcesAsync(IEnumerable<Markup> expected, Solution actual)
    {
        var texts = new List<string>();
        foreach (var document in TestSolution.TestDocuments(actual))
        {
            texts.Add((await document.GetTextAsync(TestContext.Current.CancellationToken)).ToString());
        }

        Assert.Equal(expected.Select(static markup => markup.After), texts);
        await TestSolution.AssertCompilesAsync(actual);
    }

    private sealed class Findings : FixAllContext.DiagnosticProvider
    {
        public override async Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(
            Project project, CancellationToken cancellationToken) =>
            await TestSolution.FindingsAsync(project, s_analyzer);

        public override Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(
            Document document, CancellationToken cancellationToken) => throw new NotSupportedException();

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(
            Project project, CancellationToken cancellationToken) => throw new NotSupportedException();
    }
}
