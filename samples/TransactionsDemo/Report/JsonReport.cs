using System.Text.Json;
using System.Text.Json.Serialization;
using TransactionsDemo.CommandLine;
using TransactionsDemo.Comparison;
using TransactionsDemo.Experiment;
using TransactionsDemo.Load;

namespace TransactionsDemo.Report;

/// <summary>All figures for other programs to read.</summary>
internal static class JsonReport
{
    private static readonly JsonSerializerOptions s_format = new(JsonSerializerDefaults.Web)
    {
        WriteIndented = true,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    /// <summary>Of rounds in this process.</summary>
    public static Task WriteAsync(
        FileInfo file,
        DemoOptions options,
        IEnumerable<RunResult> runs,
        IEnumerable<RunResult> sums,
        IEnumerable<DelayMeasurement> delays) => WriteAsync(
        file,
        new
        {
            Machine = MachineFigures.Here,
            Options = new
            {
                options.Rounds,
                DurationMilliseconds = options.Duration.TotalMilliseconds,
                options.Mix.Hot,
                options.Mix.Slow,
                options.Mix.Fail,
            },
            Runs = runs.Select(RunFigures.Of),
            Totals = sums.Select(RunFigures.Of),
            Delays = delays.Select(static each => new
            {
                Engine = each.Case.Engine.Name,
                each.Case.Timers,
                AskedMilliseconds = each.Asked.Select(static asked => asked.TotalMilliseconds),
                GotMilliseconds = each.Got.Select(static got => got.TotalMilliseconds),
                each.Errors,
            }),
        });

    /// <summary>Of variants, each round of them in a process of its own.</summary>
    public static Task WriteAsync(
        FileInfo file, ComparisonOptions options, IEnumerable<ComparisonRound> rounds) => WriteAsync(
        file,
        new
        {
            Machine = MachineFigures.Here,
            Options = new { options.Rounds, options.Seed, options.RoundArguments },
            Variants = rounds.GroupBy(static round => round.Variant, static round => round.Figures)
                .Select(static each => new { each.Key.Name, each.Key.Arguments, Runs = each }),
        });

    /// <summary>Reads the one run of a file.</summary>
    public static async Task<RunFigures> ReadRunAsync(string file, CancellationToken cancellationToken)
    {
        using var report = JsonDocument.Parse(await File.ReadAllBytesAsync(file, cancellationToken));
        return report.RootElement.GetProperty("runs")[0].Deserialize<RunFigures>(s_format)!;
    }

    private static async Task WriteAsync(FileInfo file, object report)
    {
        await using var stream = file.Create();
        await JsonSerializer.SerializeAsync(stream, report, s_format);
    }
}
