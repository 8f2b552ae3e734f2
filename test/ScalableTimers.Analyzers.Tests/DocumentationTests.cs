using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using ScalableTimers.Tests;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>What docs/analyzers.md says is true.</summary>
public sealed partial class DocumentationTests
{
    private static readonly DiagnosticAnalyzer[] s_analyzers =
    [
        .. typeof(RuleAnalyzer).Assembly.GetTypes()
            .Where(static type => type.IsSubclassOf(typeof(RuleAnalyzer)))
            .Select(static type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!),
    ];

    public static TheoryData<string> Rules { get; } =
        [.. s_analyzers.SelectMany(static analyzer => analyzer.SupportedDiagnostics).Select(static rule => rule.Id)];

    [Theory]
    [MemberData(nameof(Rules))]
    public async Task Section_HasTheTitleOfTheRuleAndAFindingWhereItMarksOne(string id)
    {
        var rule = s_analyzers.SelectMany(static analyzer => analyzer.SupportedDiagnostics)
            .Single(rule => rule.Id == id);
        Assert.Equal(rule.Title.ToString(CultureInfo.InvariantCulture), Section(id).Groups["title"].Value);

        var code =
            $$"""
            public class Example(IGrainDelay delay, TimerService timers) : Grain
            {
                public object Used => (delay, timers);

            {{Section(id).Groups["code"].Value}}
            }
            """;
        var compilation = CSharpCompilation.Create(
            "Example",
            [CSharpSyntaxTree.ParseText(code), CSharpSyntaxTree.ParseText(Verify.Usings)],
            Verify.References,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        Assert.Empty(compilation.GetDiagnostics().Where(static one => one.Severity == DiagnosticSeverity.Error));

        var found = await compilation.WithAnalyzers([.. s_analyzers]).GetAnalyzerDiagnosticsAsync();
        var marked = code.Split('\n').Index()
            .Where(static line => line.Item.Contains("// STM", StringComparison.Ordinal))
            .Select(static line => (line.Index, line.Item.Split("// ")[1].Trim()));
        Assert.NotEmpty(marked);
        Assert.Equal(
            marked, found.Select(static f => (f.Location.GetLineSpan().StartLinePosition.Line, f.Id)).Order());
    }

    private static Match Section(string id) =>
        Sections.Matches(File.ReadAllText(Repository.Path("docs", "analyzers.md")))
            .Single(section => section.Groups["id"].Value == id);

    /// <summary>The heading is the anchor that a rule's help link leads to.</summary>
    [GeneratedRegex(
        "## (?<id>STM[0-9]+)\n\n\\*\\*(?<title>[^*]+)\\.\\*\\*.*?```cs\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Sections { get; }
}
