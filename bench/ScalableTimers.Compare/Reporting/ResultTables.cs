using System.Text.RegularExpressions;

namespace ScalableTimers.Compare.Reporting;

/// <summary>Copies tables of the stored results into README and docs.</summary>
/// <remarks>
/// A table that follows <c>&lt;!-- from bench/results/FILE.md > HEADING | COLUMN | COLUMN --></c> is a copy of the
/// one below that heading of that file, with the named columns or all.
/// </remarks>
/// <param name="root">The folder of the repository.</param>
internal sealed partial class ResultTables(string root)
{
    /// <summary>Returns all pages as they should be.</summary>
    /// <exception cref="KeyNotFoundException">There is no such table or column.</exception>
    internal IEnumerable<(string Path, string Text)> Pages() =>
        Directory.GetFiles(Path.Combine(root, "docs"), "*.md")
            .Append(Path.Combine(root, "README.md"))
            .Select(path => (path, TableFrom().Replace(File.ReadAllText(path), match =>
                $"{match.Groups["mark"].Value}\n{Table(match)}")));

    private string Table(Match mark)
    {
        var (file, heading) = (mark.Groups["file"].Value, mark.Groups["heading"].Value);
        var rows = File.ReadLines(Path.Combine(root, "bench", "results", $"{file}.md"))
            .SkipWhile(line => line != $"### {heading}")
            .Skip(1)
            .TakeWhile(static line => !line.StartsWith("### ", StringComparison.Ordinal))
            .Where(static line => line.StartsWith('|'))
            .Select(static line => line.Trim('|').Split('|').Select(static cell => cell.Trim()).ToArray())
            .ToList();
        if (rows.Count == 0)
        {
            throw new KeyNotFoundException($"bench/results/{file}.md has no table {heading}.");
        }

        string[] names = [.. mark.Groups["column"].Captures.Select(static column => column.Value.Trim())];
        int[] columns = names.Length == 0
            ? [.. Enumerable.Range(0, rows[0].Length)]
            : [.. names.Select(name => Array.IndexOf(rows[0], name))];
        return columns.Contains(-1)
            ? throw new KeyNotFoundException($"bench/results/{file}.md lacks one of {string.Join(", ", names)}.")
            : string.Concat(rows.Select(row => $"| {string.Join(" | ", columns.Select(i => row[i]))} |\n"));
    }

    [GeneratedRegex(
        @"(?<mark><!-- from bench/results/(?<file>[\w-]+)\.md > (?<heading>[\w-]+)( \|(?<column>[^|\n]+?))* -->)\n"
        + @"(\|.*\n)*")]
    private static partial Regex TableFrom();
}
