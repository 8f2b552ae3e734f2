using System.Globalization;
using System.Text.RegularExpressions;
using ScalableTimers.Compare.Charts;

namespace ScalableTimers.Compare.Pages;

/// <summary>Writes the figures of the stored results into README and docs, where these quote them.</summary>
/// <remarks>
/// <para>
/// A table of a page that follows
/// <c>&lt;!-- from bench/results/FILE.md > HEADING | COLUMN | COLUMN --></c> is the table of that file below that
/// heading, with the columns named, or all.
/// </para>
/// <para>
/// Figures in sentences, and in tables written by hand, are listed in <c>bench/results/quotations.txt</c>, which says
/// how.
/// </para>
/// </remarks>
/// <param name="root">The folder of the repository.</param>
internal sealed partial class QuotedPages(string root)
{
    private const string Number = @"(-?\d[\d,]*(?:\.\d+)?)";

    private readonly Dictionary<string, ResultFile> _files = [];

    /// <summary>Returns all pages that quote, as they should be.</summary>
    /// <param name="complain">Is told of each quotation that finds no figure, or no place in its page.</param>
    internal IEnumerable<(string Path, string Text)> Update(Action<string> complain)
    {
        var quotations = Quotations().ToLookup(static quotation => quotation.Page, static quotation => quotation.Words);
        var pages = Directory.GetFiles(Path.Combine(root, "docs"), "*.md", SearchOption.AllDirectories)
            .Append(Path.Combine(root, "README.md"))
            .Select(path => Path.GetRelativePath(root, path).Replace('\\', '/'))
            .Order(StringComparer.Ordinal)
            .ToList();
        foreach (var stranger in quotations.Select(static page => page.Key).Except(pages))
        {
            complain($"There is no page {stranger}.");
        }

        foreach (var page in pages)
        {
            var path = Path.Combine(root, page);
            var text = File.ReadAllText(path).ReplaceLineEndings("\n");
            text = WithTables(text, problem => complain($"{page}: {problem}"));
            foreach (var words in quotations[page])
            {
                text = WithFigures(text, words, problem => complain($"{page}: {problem}"));
            }

            yield return (path, text);
        }
    }

    /// <summary>Replaces the figures of one quotation.</summary>
    internal string WithFigures(string text, string words, Action<string> complain)
    {
        var pattern = string.Concat(FigureIn().Split(words).Select(
            static (part, number) => number % 2 == 0 ? Spaces().Replace(Regex.Escape(part), @"\s+") : Number));
        var places = Regex.Matches(text, pattern);
        if (places.Count != 1)
        {
            complain($"has {places.Count} places instead of one with the words \"{words}\".");
            return text;
        }

        try
        {
            var figures = FigureIn().Matches(words).Select(match => Written(match.Groups[1].Value)).ToList();
            for (var number = figures.Count; number > 0; number--)
            {
                var old = places[0].Groups[number];
                text = text.Remove(old.Index, old.Length).Insert(old.Index, figures[number - 1]);
            }
        }
        catch (Exception missing) when (missing is KeyNotFoundException or IOException or FormatException)
        {
            complain(missing.Message);
        }

        return text;
    }

    /// <summary>Formats a figure for a sentence, which has two or three digits of it.</summary>
    internal static string Short(double figure)
    {
        var digits = Math.Abs(figure) switch { < 1 => 2, < 10 => 1, _ => 0 };
        return Math.Round((decimal)figure, digits, MidpointRounding.AwayFromZero)
            .ToString($"N{digits}", CultureInfo.InvariantCulture);
    }

    /// <summary>Rounds what has more than three digits before the point: 156,432 is 156,000.</summary>
    internal static double Rounded(double figure)
    {
        if (Math.Abs(figure) < 1000)
        {
            return figure;
        }

        var unit = Math.Pow(10, Math.Floor(Math.Log10(Math.Abs(figure))) - 2);
        return Math.Round(figure / unit, MidpointRounding.AwayFromZero) * unit;
    }

    // With an exclamation mark, as the result file has it: a count, or a share that must not be rounded up to 100.
    private string Written(string expression) => expression[^1] switch
    {
        '!' => Value(expression[..^1]).ToString("#,0.##", CultureInfo.InvariantCulture),
        '~' => Short(Rounded(Value(expression[..^1]))),
        _ => Short(Value(expression)),
    };

    private string WithTables(string text, Action<string> complain) => TableFrom().Replace(text, match =>
    {
        try
        {
            var columns = match.Groups["column"].Captures.Select(static column => column.Value.Trim()).ToList();
            var table = FileOf(match.Groups["file"].Value)
                .Table(match.Groups["heading"].Value.Trim(), columns);
            return $"{match.Groups["mark"].Value}\n{string.Concat(table.Select(static line => $"{line}\n"))}";
        }
        catch (Exception missing) when (missing is KeyNotFoundException or IOException)
        {
            complain(missing.Message);
            return match.Value;
        }
    });

    /// <summary>The value of what stands in braces: a figure, or one divided by another or by a number.</summary>
    private double Value(string expression)
    {
        var values = expression.Split(" / ").Select(part =>
        {
            var names = part.Split(" > ");
            return names.Length == 1
                ? double.Parse(part, CultureInfo.InvariantCulture)
                : FileOf(names[0]).Figure(
                    names[1],
                    names[2],
                    names[3],
                    names.Length > 4 ? int.Parse(names[4], CultureInfo.InvariantCulture) : 1);
        }).ToList();
        return values.Count == 1 ? values[0] : values[0] / values[1];
    }

    private ResultFile FileOf(string name) => _files.TryGetValue(name, out var file)
        ? file
        : _files[name] = new ResultFile(Path.Combine(root, "bench", "results", $"{name}.md"));

    private IEnumerable<(string Page, string Words)> Quotations()
    {
        string page = "";
        foreach (var line in File.ReadLines(Path.Combine(root, "bench", "results", "quotations.txt")))
        {
            if (line.StartsWith(' '))
            {
                yield return (page, line.Trim());
            }
            else if (line.Length > 0 && !line.StartsWith('#'))
            {
                page = line.Trim();
            }
        }
    }

    [GeneratedRegex(@"\{([^}]+)\}")]
    private static partial Regex FigureIn();

    // Regex.Escape puts a backslash before a space.
    [GeneratedRegex(@"(\\ )+")]
    private static partial Regex Spaces();

    [GeneratedRegex(
        @"(?<mark><!-- from bench/results/(?<file>[\w-]+)\.md > (?<heading>[^|\n]+?)( \|(?<column>[^|\n]+?))* -->)\n"
        + @"(\|.*\n)*")]
    private static partial Regex TableFrom();
}
