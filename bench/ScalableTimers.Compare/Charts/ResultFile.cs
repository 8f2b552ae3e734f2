using System.Globalization;
using System.Text.RegularExpressions;

namespace ScalableTimers.Compare.Charts;

/// <summary>A file of results, and the figures in its tables.</summary>
internal sealed partial class ResultFile
{
    private static readonly string[] s_partsOfRatio = ["ratio", "least", "most"];

    private readonly Dictionary<(string Workload, string Row, string Column), string> _cells = [];
    private readonly Dictionary<string, List<string[]>> _tables = [];
    private readonly string _path;

    /// <summary>Reads the file.</summary>
    internal ResultFile(string path)
    {
        _path = path;
        string workload = "";
        string[] titles = [];
        foreach (var line in File.ReadLines(path))
        {
            if (ProcessorsIn.Match(line) is { Success: true } processors)
            {
                Processors = int.Parse(processors.Groups[1].Value, CultureInfo.InvariantCulture);
            }
            else if (line.StartsWith('#'))
            {
                workload = line.TrimStart('#').Trim();
            }

            if (!line.StartsWith('|'))
            {
                titles = [];
                continue;
            }

            var cells = line.Trim().Trim('|').Split('|', StringSplitOptions.TrimEntries);
            if (titles.Length > 0)
            {
                Add(workload, titles, cells);
            }

            var table = _tables.TryGetValue(workload, out var known) ? known : _tables[workload] = [];
            table.Add(cells);
            titles = titles.Length == 0 ? cells : titles;
        }
    }

    /// <summary>Gets the number of processors of the machine; zero if the file does not name the machine.</summary>
    internal int Processors { get; }

    [GeneratedRegex(@", (\d+) cores, \.NET ")]
    private static partial Regex ProcessorsIn { get; }

    /// <summary>Whether there is such a row. New rows are missing until the results are taken again.</summary>
    internal bool Has(string workload, string row) =>
        _cells.Keys.Any(cell => cell.Workload == workload && cell.Row == row);

    /// <summary>Finds a figure.</summary>
    /// <param name="workload">The heading of the table.</param>
    /// <param name="row">The first cell of the row, or several of them from the left, separated by commas.</param>
    /// <param name="column">
    /// The title of the column; "ratio", "least" and "most" are the three figures of "better by (spread)".
    /// </param>
    /// <param name="number">Which figure of the cell, from 1.</param>
    /// <exception cref="KeyNotFoundException">There is no such figure.</exception>
    internal double Figure(string workload, string row, string column, int number = 1)
    {
        var part = _cells.ContainsKey((workload, row, column)) ? -1 : Array.IndexOf(s_partsOfRatio, column);
        var figures = NumberIn().Matches(Text(workload, row, part < 0 ? column : "better by (spread)"));
        var index = part < 0 ? number - 1 : part;
        return index < figures.Count
            ? double.Parse(figures[index].Value, NumberStyles.Number, CultureInfo.InvariantCulture)
            : throw new KeyNotFoundException($"{_path} has no figure {index + 1} in {workload} > {row} > {column}.");
    }

    /// <summary>Finds a cell as it is written.</summary>
    /// <exception cref="KeyNotFoundException">There is no such cell.</exception>
    internal string Text(string workload, string row, string column) =>
        _cells.TryGetValue((workload, row, column), out var cell)
            ? cell
            : throw new KeyNotFoundException($"{_path} has no {workload} > {row} > {column}.");

    /// <summary>Returns some columns of the first table below a heading, as lines of Markdown.</summary>
    /// <param name="workload">The heading.</param>
    /// <param name="columns">The titles of the columns; none for all.</param>
    /// <exception cref="KeyNotFoundException">There is no such table or column.</exception>
    internal IEnumerable<string> Table(string workload, IReadOnlyCollection<string> columns)
    {
        if (!_tables.TryGetValue(workload, out var table))
        {
            throw new KeyNotFoundException($"{_path} has no table below {workload}.");
        }

        var numbers = columns.Count == 0
            ? [.. Enumerable.Range(0, table[0].Length)]
            : columns.Select(column => Array.IndexOf(table[0], column)).ToList();
        return numbers.Contains(-1)
            ? throw new KeyNotFoundException($"{_path} has not all of {string.Join(" | ", columns)} in {workload}.")
            : table.Select(cells => $"| {string.Join(" | ", numbers.Select(number => cells[number]))} |");
    }

    private void Add(string workload, string[] titles, string[] cells)
    {
        for (var column = 1; column < Math.Min(titles.Length, cells.Length); column++)
        {
            for (var keys = 1; keys <= column; keys++)
            {
                var row = string.Join(", ", cells[..keys].Where(static cell => cell.Length > 0));
                _cells.TryAdd((workload, row, titles[column]), cells[column]);
            }
        }
    }

    [GeneratedRegex(@"-?\d[\d,]*(\.\d+)?")]
    private static partial Regex NumberIn();
}
