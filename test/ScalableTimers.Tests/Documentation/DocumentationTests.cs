using System.Text.RegularExpressions;

namespace ScalableTimers.Tests.Documentation;

/// <summary>
/// The code in the documentation is compiled: each block appears, word for word, in a source file of the tests or
/// samples.
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

        var strangers = CodeBlock().Matches(File.ReadAllText(Repository.Path(page)))
            .Select(static block => block.Groups["code"].Value)
            .Where(code => !sources.Any(source => source.Contains(Flatten(code), StringComparison.Ordinal)));

        Assert.Empty(strangers);
    }

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex CodeBlock();

    // Ignores white space, because pages and source files break lines at different places.
    private static string Flatten(string code) => string.Concat(code.Where(static c => !char.IsWhiteSpace(c)));
}
