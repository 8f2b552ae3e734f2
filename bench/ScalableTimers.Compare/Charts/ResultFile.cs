using System.Globalization;
using System.Text.RegularExpressions;

namespace ScalableTimers.Compare.Charts;

/// <summary>A file of results, and the figures in its tables.</summary>
internal sealed partial class ResultFile
{
    private readonly Dictionary<(string Workload, string Contestant, string Column), string> _cells = [];
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
                (workload, titles) = (line.TrimStart('#').Trim(), []);
            }
            else if (line.StartsWith("| ", StringComparison.Ordinal))
            {
                var cells = line.Trim('|').Split('|', StringSplitOptions.TrimEntries);
                Add(workload, titles, cells);
                titles = titles.Length == 0 ? cells : titles;
            }
        }
    }

    /// <summary>Gets the number of processors of the machine; zero if the file does not name the machine.</summary>
    internal int Processors { get; }

    [GeneratedRegex(@", (\d+) cores, \.NET ")]
    private static partial Regex ProcessorsIn { get; }

    /// <summary>Whether there is such a row. New rows are missing until the results are taken again.</summary>
    internal bool Has(string workload, string contestant) =>
        _cells.Keys.Any(cell => cell.Workload == workload && cell.Contestant == contestant);

    /// <summary>Finds a figure.</summary>
    /// <param name="workload">The heading of the table.</param>
    /// <param name="contestant">The first cell of the row.</param>
    /// <param name="column">
    /// The title of the column; "ratio", "least" and "most" are the parts of the last, which is "better by (spread)".
    /// </param>
    /// <exception cref="KeyNotFoundException">There is no such figure.</exception>
    internal double Figure(string workload, string contestant, string column)
    {
        var part = Array.IndexOf(["ratio", "least", "most"], column);
        var cell = Text(workload, contestant, part < 0 ? column : "better by (spread)");
        var number = part < 0 ? cell : cell.Split([" (", " to ", ")"], StringSplitOptions.None)[part];
        return double.Parse(number, NumberStyles.Number, CultureInfo.InvariantCulture);
    }

    /// <summary>Finds a cell as it is written.</summary>
    /// <exception cref="KeyNotFoundException">There is no such cell.</exception>
    internal string Text(string workload, string contestant, string column) =>
        _cells.TryGetValue((workload, contestant, column), out var cell)
            ? cell
            : throw new KeyNotFoundException($"{_path} has no {workload} > {contestant} > {column}.");

    private void Add(string workload, string[] titles, string[] cells)
    {
        for (var column = 1; column < Math.Min(titles.Length, cells.Length); column++)
        {
            _cells[(workload, cells[0], titles[column])] = cells[column];
        }
    }
}
