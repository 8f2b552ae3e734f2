using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace ScalableTimers.Analyzers.Tests.Verification;

/// <summary>What the tests of all rules assert.</summary>
internal static class Verify
{
    /// <summary>An analyzer finds what is marked, and nothing else.</summary>
    internal static async Task FindsAsync<TAnalyzer>(params string[] sources)
        where TAnalyzer : DiagnosticAnalyzer, new()
    {
        var markups = sources.Select(static source => new Markup(source)).ToArray();
        var solution = TestSolution.Of(
            LanguageVersion.Latest, withUsings: true, [.. markups.Select(static markup => markup.Code)]);

        await TestSolution.AssertCompilesAsync(solution);
        await AssertFindsAsync(solution, [markups], new TAnalyzer());
    }

    /// <summary>A fix of all findings at once turns the sources into others, which compile.</summary>
    internal static async Task FixesAsync<TAnalyzer, TFix>(
        string before, string after, LanguageVersion? version = null, bool withUsings = true)
        where TAnalyzer : DiagnosticAnalyzer, new()
        where TFix : CodeFixProvider, new() =>
        await FixesAllAsync<TAnalyzer, TFix>([[before]], [[after]], version, withUsings);

    /// <inheritdoc cref="FixesAsync"/>
    internal static async Task FixesAllAsync<TAnalyzer, TFix>(
        string[][] before, string[][] after, LanguageVersion? version = null, bool withUsings = true)
        where TAnalyzer : DiagnosticAnalyzer, new()
        where TFix : CodeFixProvider, new()
    {
        var markups = before
            .Select(static project => project.Select(static source => new Markup(source)).ToArray())
            .ToArray();
        var solution = TestSolution.Of(
            version ?? LanguageVersion.Latest,
            withUsings,
            [.. markups.Select(static project => project.Select(static markup => markup.Code).ToArray())]);
        await TestSolution.AssertCompilesAsync(solution);
        await AssertFindsAsync(solution, markups, new TAnalyzer());

        var all = await FixAllAsync(solution, new TAnalyzer(), new TFix());
        await AssertSourcesAsync(after, all);
        if (markups.Sum(static project => project.Sum(static markup => markup.Spans.Count)) == 1)
        {
            await AssertSourcesAsync(after, await FixFirstAsync(solution, new TAnalyzer(), new TFix()));
        }
    }

    /// <summary>There is a finding, and no fix for it, alone or with others.</summary>
    internal static async Task HasNoFixAsync<TAnalyzer, TFix>(params string[] sources)
        where TAnalyzer : DiagnosticAnalyzer, new()
        where TFix : CodeFixProvider, new()
    {
        await FindsAsync<TAnalyzer>(sources);
        var code = sources.Select(static source => new Markup(source).Code).ToArray();
        var solution = TestSolution.Of(LanguageVersion.Latest, withUsings: true, code);

        await AssertSourcesAsync([code], await FixFirstAsync(solution, new TAnalyzer(), new TFix()));
        await AssertSourcesAsync([code], await FixAllAsync(solution, new TAnalyzer(), new TFix()));
    }

    /// <summary>Fixes all findings in a source, and returns the result, which compiles.</summary>
    internal static async Task<string> FixAllAsync(string source, DiagnosticAnalyzer analyzer, CodeFixProvider fix)
    {
        var solution = TestSolution.Of(LanguageVersion.Latest, withUsings: true, [source]);
        var changed = await FixAllAsync(solution, analyzer, fix);
        await TestSolution.AssertCompilesAsync(changed);
        var document = TestSolution.TestDocuments(changed).Single();
        return (await document.GetTextAsync(TestContext.Current.CancellationToken)).ToString();
    }

    private static async Task AssertFindsAsync(Solution solution, Markup[][] markups, DiagnosticAnalyzer analyzer)
    {
        foreach (var (project, marked) in solution.Projects.Zip(markups))
        {
            var findings = await TestSolution.FindingsAsync(project, analyzer);
            var found = findings.Select(static f => (f.Location.SourceTree!.ToString(), f.Location.SourceSpan));
            var expected = marked.SelectMany(static markup => markup.Spans.Select(span => (markup.Code, span)));
            Assert.Equal(
                expected.Select(static f => f.Code.Substring(f.span.Start, f.span.Length) + " at " + f.span.Start),
                found.Select(static f =>
                    f.Item1.Substring(f.SourceSpan.Start, f.SourceSpan.Length) + " at " + f.SourceSpan.Start));
        }
    }

    private static async Task<Solution> FixFirstAsync(
        Solution solution, DiagnosticAnalyzer analyzer, CodeFixProvider fix)
    {
        foreach (var project in solution.Projects)
        {
            var findings = await TestSolution.FindingsAsync(project, analyzer);
            CodeAction? action = null;
            if (findings.FirstOrDefault() is { } first)
            {
                var document = solution.GetDocument(first.Location.SourceTree)!;
                await fix.RegisterCodeFixesAsync(new CodeFixContext(
                    document, first, (found, _) => action ??= found, TestContext.Current.CancellationToken));
            }

            if (action is not null)
            {
                return await ApplyAsync(action, solution);
            }
        }

        return solution;
    }

    private static async Task<Solution> FixAllAsync(Solution solution, DiagnosticAnalyzer analyzer, CodeFixProvider fix)
    {
        var context = new FixAllContext(
            TestSolution.TestDocuments(solution).First(),
            fix,
            FixAllScope.Solution,
            codeActionEquivalenceKey: null!,
            analyzer.SupportedDiagnostics.Select(static rule => rule.Id),
            new Findings(analyzer),
            TestContext.Current.CancellationToken);
        var action = await fix.GetFixAllProvider()!.GetFixAsync(context);
        return await ApplyAsync(action!, solution);
    }

    private static async Task<Solution> ApplyAsync(CodeAction action, Solution solution)
    {
        var operations = await action.GetOperationsAsync(TestContext.Current.CancellationToken);
        return operations.OfType<ApplyChangesOperation>().SingleOrDefault()?.ChangedSolution ?? solution;
    }

    private static async Task AssertSourcesAsync(string[][] expected, Solution actual)
    {
        var texts = new List<string>();
        foreach (var document in TestSolution.TestDocuments(actual))
        {
            texts.Add((await document.GetTextAsync(TestContext.Current.CancellationToken)).ToString());
        }

        Assert.Equal(expected.SelectMany(static project => project), texts);
        await TestSolution.AssertCompilesAsync(actual);
    }

    private sealed class Findings(DiagnosticAnalyzer analyzer) : FixAllContext.DiagnosticProvider
    {
        public override async Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(
            Project project, CancellationToken cancellationToken) =>
            await TestSolution.FindingsAsync(project, analyzer);

        public override async Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(
            Document document, CancellationToken cancellationToken) =>
            (await TestSolution.FindingsAsync(document.Project, analyzer))
                .Where(finding => finding.Location.SourceTree?.FilePath == document.FilePath);

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(
            Project project, CancellationToken cancellationToken) =>
            Task.FromResult(Enumerable.Empty<Diagnostic>());
    }
}
