using System.Text.RegularExpressions;
using ScalableTimers.Tests.Architecture;

namespace ScalableTimers.Tests.Documentation;

/// <summary>The troubleshooting page quotes each log message in the sources, and no other.</summary>
public sealed partial class TroubleshootingTests
{
    [Fact]
    public void Quotations_AreTheLogMessagesOfTheSources()
    {
        var messages = Source.In("src").SelectMany(static source => Messages.Matches(source.Text))
            .Select(static match =>
                $"{match.Groups["id"]}, {match.Groups["level"].Value.ToLowerInvariant()}: {Text(match)}")
            .Distinct()
            .Order(StringComparer.Ordinal)
            .ToList();
        var page = File.ReadAllText(Repository.Path("docs", "troubleshooting.md"));
        var quotations = Quotations.Matches(page)
            .Select(static match => string.Join(' ', match.Value.Trim().Split('\n').Select(static l => l[2..])))
            .Distinct()
            .Order(StringComparer.Ordinal);

        Assert.NotEmpty(messages);
        Assert.Equal(messages, quotations);
    }

    /// <summary>A message that the pattern does not match would be overlooked.</summary>
    [Fact]
    public void EachLogMessageAttribute_IsRead() =>
        Assert.Equal(
            Source.In("src").Sum(static source => source.Code.Split("[LoggerMessage").Length - 1),
            Source.In("src").Sum(static source => Messages.Count(source.Text)));

    /// <summary>Looks for a part between the values of each exception's text.</summary>
    [Fact]
    public void QuotedExceptions_AreInTheSources()
    {
        var page = File.ReadAllText(Repository.Path("docs", "troubleshooting.md"));
        var table = page[page.IndexOf("## Exceptions", StringComparison.Ordinal)..];
        table = table[table.IndexOf("|---", StringComparison.Ordinal)..];
        table = table[..table.IndexOf("\n\n", StringComparison.Ordinal)];
        var sources = string.Concat(Source.In("src").Select(static source =>
            Joints.Replace(Names.Replace(source.Text, "${name}"), "")));
        var quotations = ExceptionTexts.Matches(table).Select(static match => match.Groups["text"].Value).ToList();

        Assert.True(quotations.Count > 20, $"Only {quotations.Count} were read.");
        Assert.All(quotations, text => Assert.True(
            Values.Split(text.Replace("`", "", StringComparison.Ordinal))
                .Select(static part => part.Trim())
                .Any(part => part.Length > 11 && sources.Contains(part, StringComparison.Ordinal)),
            text));
    }

    private static string Text(Match match) =>
        string.Concat(Literals.Matches(match.Groups["text"].Value).Select(static literal => literal.Groups[1].Value));

    [GeneratedRegex(
        """\[LoggerMessage\(\s*(?<id>\d+),\s*LogLevel\.(?<level>\w+),\s*(?<text>"[^"]*"(\s*\+\s*"[^"]*")*)\s*\)\]""")]
    private static partial Regex Messages { get; }

    [GeneratedRegex(@"(: |or |with )""(?<text>[^""]+)""")]
    private static partial Regex ExceptionTexts { get; }

    [GeneratedRegex(@"…|\d[\d:.]*")]
    private static partial Regex Values { get; }

    [GeneratedRegex(@"\{nameof\((\w+\.)*(?<name>\w+)\)\}")]
    private static partial Regex Names { get; }

    [GeneratedRegex(@"""\s*\+\s*\$?""")]
    private static partial Regex Joints { get; }

    [GeneratedRegex("\"([^\"]*)\"")]
    private static partial Regex Literals { get; }

    [GeneratedRegex(@"(^> .*\n)+", RegexOptions.Multiline)]
    private static partial Regex Quotations { get; }
}
