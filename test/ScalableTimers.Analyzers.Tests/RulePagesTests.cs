using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Diagnostics;
using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.CodeFixes;
using ScalableTimers.Tests;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>What docs/analyzers says is so.</summary>
public sealed partial class RulePagesTests
{
    private static readonly DiagnosticAnalyzer[] s_analyzers =
        [.. InstancesOf<DiagnosticAnalyzer>(typeof(RuleAnalyzer))];
    private static readonly CodeFixProvider[] s_fixes = [.. InstancesOf<CodeFixProvider>(typeof(RuleFix))];

    public static TheoryData<string> Rules { get; } =
        [.. s_analyzers.Select(static analyzer => RuleOf(analyzer).Id).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Rules))]
    public async Task Page_CodeBefore_HasAFindingAndCodeAfterHasNone(string id)
    {
        var (before, after) = ReadExample(id);

        Assert.NotEmpty(await FindAsync(before, Analyzer(id)));
        Assert.Empty(await FindAsync(after, s_analyzers));
    }

    [Theory]
    [MemberData(nameof(Rules))]
    public async Task Page_SaysWhatTheFixDoes(string id)
    {
        var fix = s_fixes.SingleOrDefault(fix => fix.FixableDiagnosticIds.Contains(id));
        Assert.Equal(fix is not null, ReadPage(id).Contains("With a fix.", StringComparison.Ordinal));
        if (fix is not null)
        {
            var (before, after) = ReadExample(id);
            Assert.Equal(after, await Verify.FixAllAsync(before, Analyzer(id), fix));
        }
    }

    [Theory]
    [MemberData(nameof(Rules))]
    public void Page_AndIndexNameTheRuleAsItIs(string id)
    {
        var rule = RuleOf(Analyzer(id));
        var severity = rule.DefaultSeverity == DiagnosticSeverity.Info ? "suggestion" : "warning";
        var hasFix = s_fixes.Any(fix => fix.FixableDiagnosticIds.Contains(id)) ? "yes" : "no";

        Assert.StartsWith(
            $"# {id}: {rule.Title}\n\n{rule.Category}, {severity}. ", ReadPage(id), StringComparison.Ordinal);
        Assert.EndsWith($"docs/analyzers/{id}.md", rule.HelpLinkUri, StringComparison.Ordinal);
        Assert.Contains(
            $"| [{id}]({id}.md) | {rule.Title} | {rule.Category} | {severity} | {hasFix} |",
            ReadPage("README"),
            StringComparison.Ordinal);
    }

    private static DiagnosticAnalyzer Analyzer(string id) => s_analyzers.Single(analyzer => RuleOf(analyzer).Id == id);

    private static DiagnosticDescriptor RuleOf(DiagnosticAnalyzer analyzer) =>
        Assert.Single(analyzer.SupportedDiagnostics);

    private static async Task<List<string>> FindAsync(string code, params DiagnosticAnalyzer[] analyzers)
    {
        var solution = TestSolution.Of(Microsoft.CodeAnalysis.CSharp.LanguageVersion.Latest, withUsings: true, [code]);
        await TestSolution.AssertCompilesAsync(solution);
        var found = new List<string>();
        foreach (var analyzer in analyzers)
        {
            var findings = await TestSolution.FindingsAsync(solution.Projects.Single(), analyzer);
            found.AddRange(findings.Select(static finding => finding.ToString()));
        }

        return found;
    }

    private static (string Before, string After) ReadExample(string id)
    {
        var blocks = CodeBlock().Matches(ReadPage(id)).Select(static block => block.Groups["code"].Value).ToList();
        Assert.Equal(2, blocks.Count);
        return (blocks[0], blocks[1]);
    }

    private static string ReadPage(string name) => File.ReadAllText(Repository.Path("docs", "analyzers", name + ".md"));

    private static IEnumerable<T> InstancesOf<T>(Type @base) => @base.Assembly.GetTypes()
        .Where(type => !type.IsAbstract && type.IsSubclassOf(@base))
        .Select(static type => (T)Activator.CreateInstance(type)!);

    [GeneratedRegex("```cs\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex CodeBlock();
}
