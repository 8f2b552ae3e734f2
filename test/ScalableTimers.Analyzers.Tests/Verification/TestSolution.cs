using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;

namespace ScalableTimers.Analyzers.Tests.Verification;

/// <summary>Creates, compiles and analyses solutions from sources in tests.</summary>
internal static class TestSolution
{
    private const string Usings =
        """
        global using System;
        global using System.Threading;
        global using System.Threading.Tasks;
        global using Orleans;
        global using Orleans.Concurrency;
        global using Orleans.Runtime;
        global using Orleans.Timers.Scalable;
        global using ScalableTimers;
        """;

    private static readonly MetadataReference[] s_references = [.. FindReferences()];

    /// <summary>Creates a solution with one project for each list of sources.</summary>
    internal static Solution Of(bool withUsings, params string[][] projects)
    {
        var solution = new AdhocWorkspace().CurrentSolution;
        for (var i = 0; i < projects.Length; i++)
        {
            var project = ProjectId.CreateNewId();
            solution = solution.AddProject(project, $"Project{i}", $"Project{i}", LanguageNames.CSharp)
                .WithProjectMetadataReferences(project, s_references)
                .WithProjectParseOptions(project, new CSharpParseOptions(LanguageVersion.Latest))
                .WithProjectCompilationOptions(project, new CSharpCompilationOptions(
                    OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
            foreach (var (number, source) in projects[i].Index())
            {
                solution = Add($"Test{number}.cs", source);
            }

            if (withUsings)
            {
                solution = Add("Usings.cs", Usings);
            }

            Solution Add(string name, string source) =>
                solution.AddDocument(DocumentId.CreateNewId(project), name, source, filePath: name);
        }

        return solution;
    }

    internal static IEnumerable<Document> TestDocuments(Solution solution) =>
        solution.Projects.SelectMany(static project => project.Documents)
            .Where(static document => document.Name.StartsWith("Test", StringComparison.Ordinal));

    /// <summary>Returns what an analyzer reports in a project, in source order.</summary>
    internal static async Task<List<Diagnostic>> FindingsAsync(Project project, DiagnosticAnalyzer analyzer)
    {
        var compilation = (await project.GetCompilationAsync(TestContext.Current.CancellationToken))!;
        var analyzed = compilation.WithAnalyzers([analyzer]);
        var findings = await analyzed.GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);
        return [.. findings.OrderBy(static f => f.Location.SourceTree?.FilePath, StringComparer.Ordinal)
            .ThenBy(static f => f.Location.SourceSpan)];
    }

    internal static async Task AssertCompilesAsync(Solution solution)
    {
        foreach (var project in solution.Projects)
        {
            var compilation = (await project.GetCompilationAsync(TestContext.Current.CancellationToken))!;
            Assert.Empty(compilation.GetDiagnostics(TestContext.Current.CancellationToken)
                .Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)
                .Select(static diagnostic => diagnostic.ToString()));
        }
    }

    private static IEnumerable<MetadataReference> FindReferences() =>
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path =>
                !Path.GetFileName(path).StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path));
}
