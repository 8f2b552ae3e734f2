using System.Globalization;
using System.Runtime.InteropServices;

namespace ScalableTimers.Compare;

/// <summary>Prints medians over the rounds, and the ratio to the first contestant with its spread.</summary>
internal sealed class ResultTable(bool isMarkdown, TextWriter output)
{
    private static readonly string[] s_columns = ["timers", "ns", "CPU ns", "bytes", "GCs", "early", "most early ms", "late p50 ms", "p99", "max", "better by (spread)"];

    internal void WriteMachine(Scale scale) => output.WriteLine(string.Create(
        CultureInfo.InvariantCulture,
        $"{RuntimeInformation.OSDescription}, {Environment.ProcessorCount} cores, {RuntimeInformation.FrameworkDescription}, {(System.Runtime.GCSettings.IsServerGC ? "server" : "workstation")} GC, medians of {scale.Rounds} alternating rounds"));

    internal void Write(Workload workload, IReadOnlyList<(string Name, IReadOnlyList<Measurement> Rounds)> results)
    {
        output.WriteLine();
        output.WriteLine(isMarkdown ? $"### {workload.Name}\n\n{workload.Question}\n" : $"{workload.Name}: {workload.Question}");
        var rows = results.Select(result => Row(result.Name, result.Rounds, results[0].Rounds)).ToList();
        if (isMarkdown)
        {
            output.WriteLine($"| {string.Join(" | ", s_columns)} |");
            output.WriteLine($"|---|{string.Concat(Enumerable.Repeat("---:|", s_columns.Length - 1))}");
            rows.ForEach(row => output.WriteLine($"| {string.Join(" | ", row)} |"));
            return;
        }

        rows.Insert(0, s_columns);
        var widths = s_columns.Select((_, column) => rows.Max(row => row[column].Length)).ToList();
        rows.ForEach(row => output.WriteLine("  " + string.Join("  ", row.Select((cell, column) => column == 0 ? cell.PadRight(widths[column]) : cell.PadLeft(widths[column])))));
    }

    private static string[] Row(string name, IReadOnlyList<Measurement> rounds, IReadOnlyList<Measurement> baseline)
    {
        var ratios = rounds.Zip(baseline, static (ours, theirs) => theirs.Compared / ours.Compared).Order().ToList();
        return
        [
            name,
            Median(rounds, static round => round.WallNanoseconds),
            Median(rounds, static round => round.CpuNanoseconds),
            Median(rounds, static round => round.Bytes),
            Median(rounds, static round => round.Collections),
            Median(rounds, static round => round.Early),
            Median(rounds, static round => round.EarliestMilliseconds),
            Median(rounds, static round => round.LateP50),
            Median(rounds, static round => round.LateP99),
            Median(rounds, static round => round.LateMax),
            ReferenceEquals(rounds, baseline) ? "" : string.Create(CultureInfo.InvariantCulture, $"{ratios[ratios.Count / 2]:0.0#} ({ratios[0]:0.0#} to {ratios[^1]:0.0#})"),
        ];
    }

    private static string Median(IReadOnlyList<Measurement> rounds, Func<Measurement, double> value)
    {
        var median = rounds.Select(value).Order().ElementAt(rounds.Count / 2);
        return double.IsNaN(median) ? "" : median.ToString(Math.Abs(median) < 10 ? "0.##" : "N0", CultureInfo.InvariantCulture);
    }
}
