using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Testing;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Testing;
using ScalableTimers.Analyzers.Grains;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>
/// Assertions for tests of the rules. In a source, <c>[|…|]</c> marks each finding. A line that begins with <c>-</c>
/// is there only before the fix, and one that begins with <c>+</c> only after it.
/// </summary>
internal static class Verify
{
    internal const string Usings =
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

    /// <summary>What the tests themselves run on.</summary>
    internal static MetadataReference[] References { get; } =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
            .Split(Path.PathSeparator)
            .Where(static path =>
                !Path.GetFileName(path).StartsWith("Microsoft.CodeAnalysis", StringComparison.Ordinal))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    /// <summary>Asserts that an analyzer finds what is marked, and nothing else.</summary>
    internal static Task FindsAsync<TAnalyzer>(string source)
        where TAnalyzer : DiagnosticAnalyzer, new() =>
        RunAsync(new CSharpCodeFixTest<TAnalyzer, EmptyCodeFixProvider, DefaultVerifier>
        {
            TestState = { Sources = { source, Usings } },
        });

    /// <summary>Asserts that no finding has a fix.</summary>
    internal static Task HasNoFixAsync(string source, string message = "") => FixesAsync(source, message);

    /// <inheritdoc cref="FixesAsync(string[][], string, string)"/>
    internal static Task FixesAsync(string source, string message = "", string usings = Usings) =>
        FixesAsync([[source]], message, usings);

    /// <summary>
    /// Asserts that fixing the findings one after another, and all at once, makes the marked changes, and that the
    /// result compiles. If there are several projects, also by all of each document and of each project.
    /// </summary>
    /// <param name="projects">The sources of each project.</param>
    /// <param name="message">What each finding's message contains.</param>
    /// <param name="usings">A source of each project that is not changed.</param>
    internal static Task FixesAsync(string[][] projects, string message = "", string usings = Usings)
    {
        var test = new CSharpCodeFixTest<DelayInGrainAnalyzer, DelayFix, DefaultVerifier>
        {
            FixedState = { MarkupHandling = MarkupMode.Allow },
            NumberOfFixAllInDocumentIterations = -projects.Length,
            CodeFixTestBehaviors = projects.Length > 1
                ? CodeFixTestBehaviors.None
                : CodeFixTestBehaviors.SkipFixAllInDocumentCheck | CodeFixTestBehaviors.SkipFixAllInProjectCheck,
            DiagnosticVerifier = (found, _, verifier) => verifier.True(
                found.GetMessage(CultureInfo.InvariantCulture).Contains(message, StringComparison.Ordinal)),
        };
        foreach (var (number, sources) in projects.Index())
        {
            Fill(number == 0 ? test.TestState : test.TestState.AdditionalProjects[$"Project{number}"], '-', '+');
            Fill(number == 0 ? test.FixedState : test.FixedState.AdditionalProjects[$"Project{number}"], '+', '-');

            void Fill(ProjectState state, char own, char other)
            {
                foreach (var source in sources.Append(usings))
                {
                    state.Sources.Add(string.Join('\n', source.Split('\n')
                        .Where(line => !line.StartsWith(other))
                        .Select(line => line.StartsWith(own) ? line[1..] : line)));
                }
            }
        }

        return RunAsync(test);
    }

    private static Task RunAsync(AnalyzerTest<DefaultVerifier> test)
    {
        test.ReferenceAssemblies = new ReferenceAssemblies("net10.0");
        test.SolutionTransforms.Add(static (solution, _) => solution.ProjectIds.Aggregate(
            solution, static (all, project) => all.WithProjectMetadataReferences(project, References)));
        return test.RunAsync(TestContext.Current.CancellationToken);
    }
}
