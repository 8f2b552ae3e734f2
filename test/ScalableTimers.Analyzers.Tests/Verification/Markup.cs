using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis.Text;

namespace ScalableTimers.Analyzers.Tests.Verification;

/// <summary>
/// A source in which <c>[|…|]</c> marks each finding. A line that begins with <c>-</c> is there only before the fix,
/// and one that begins with <c>+</c> only after it.
/// </summary>
internal sealed partial class Markup(string marked)
{
    private const int MarkLength = 2;

    internal string Before { get; } = Unmarked(Side(marked, own: '-', other: '+'));

    internal string After { get; } = Unmarked(Side(marked, own: '+', other: '-'));

    /// <summary>Where the findings are in <see cref="Before"/>.</summary>
    internal IReadOnlyList<TextSpan> Spans { get; } =
    [
        .. Finding.Matches(Side(marked, own: '-', other: '+')).Select(static (finding, number) => new TextSpan(
            finding.Index - (number * 2 * MarkLength), finding.Length - (2 * MarkLength))),
    ];

    private static string Side(string marked, char own, char other) => string.Join(
        '\n',
        marked.Split('\n')
            .Where(line => !line.StartsWith(other))
            .Select(line => line.StartsWith(own) ? line[1..] : line));

    private static string Unmarked(string side) =>
        Finding.Replace(side, static finding => finding.Value[MarkLength..^MarkLength]);

    [GeneratedRegex(@"\[\|.*?\|\]", RegexOptions.Singleline)]
    private static partial Regex Finding { get; }
}
