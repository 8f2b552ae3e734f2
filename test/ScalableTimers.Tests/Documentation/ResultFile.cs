using System.Globalization;

namespace ScalableTimers.Tests.Documentation;

/// <summary>A file of bench/results, and the figures in its tables.</summary>
internal sealed class ResultFile
{
    private readonly Dictionary<(string Workload, string Contestant, string Column), string> _cells = [];
    private readonly string _name;

    private ResultFile(string name)
    {
        _name = name;
        string workload = "";
        string[] titles = [];
        foreach (var line in File.ReadLines(Repository.Path("bench", "results", name)))
        {
            if (line.StartsWith('#'))
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

    internal static ResultFile Read(string name) => new(name);

    /// <summary>Finds a figure.</summary>
    /// <param name="workload">The heading of the table.</param>
    /// <param name="contestant">The first cell of the row.</param>
    /// <param name="column">
    /// The title of the column; "ratio", "least" and "most" are the parts of the last, which is "better by (spread)".
    /// </param>
    internal double Figure(string workload, string contestant, string column)
    {
        var part = Array.IndexOf(["ratio", "least", "most"], column);
        var key = (workload, contestant, part < 0 ? column : "better by (spread)");
        Assert.True(_cells.TryGetValue(key, out var cell), $"{_name} has no {key}.");
        var number = part < 0 ? cell : cell.Split([" (", " to ", ")"], StringSplitOptions.None)[part];
        return double.Parse(number, NumberStyles.Number, CultureInfo.InvariantCulture);
    }

    private void Add(string workload, string[] titles, string[] cells)
    {
        for (var column = 1; column < Math.Min(titles.Length, cells.Length); column++)
        {
            _cells[(workload, cells[0], titles[column])] = cells[column];
        }
    }
}
