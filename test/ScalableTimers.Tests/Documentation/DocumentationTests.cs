using System.Text.RegularExpressions;

namespace ScalableTimers.Tests.Documentation;

/// <summary>
/// The code in the documentation is compiled: each block appears, word for word, in a source file of the tests or
/// samples, which has the namespaces of the block's <c>using</c> lines, or is in one of them.
/// </summary>
public sealed partial class DocumentationTests
{
    public static TheoryData<string> Pages { get; } = [.. new[] { "README.md" }
        .Concat(new[] { "docs", "src" }
            .SelectMany(static folder =>
                Directory.EnumerateFiles(Repository.Path(folder), "*.md", SearchOption.AllDirectories))
            .Select(static page => Path.GetRelativePath(Repository.Root, page)))];

    [Theory]
    [MemberData(nameof(Pages))]
    public void CodeBlocks_OfAPage_StandInCompiledSources(string page)
    {
        var sources = new[] { "test", "samples" }
            .SelectMany(
                static folder => Directory.EnumerateFiles(Repository.Path(folder), "*.cs", SearchOption.AllDirectories))
            .Select(static file => Flatten(File.ReadAllText(file)))
            .ToList();

        // Seen to fail with a using line of a namespace that the code does not need.
        var strangers = CodeBlock().Matches(File.ReadAllText(Repository.Path(page)))
            .Where(block => !sources.Any(source =>
                source.Contains(Flatten(block.Groups["code"].Value), StringComparison.Ordinal)
                    && block.Groups["using"].Captures.All(each =>
                        source.Contains($"using{each.Value};", StringComparison.Ordinal)
                            || source.Contains($"namespace{each.Value}.", StringComparison.Ordinal))));

        Assert.Empty(strangers.Select(static block => block.Value));
    }

    [GeneratedRegex("```csharp\n(?:using (?<using>[\\w.]+);\n)*(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex CodeBlock();

    // Ignores white space, because pages and source files break lines at different places.
    private static string Flatten(string code) => string.Concat(code.Where(static c => !char.IsWhiteSpace(c)));
}
