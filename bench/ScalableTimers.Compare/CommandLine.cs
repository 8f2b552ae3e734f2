using System.Globalization;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads;

namespace ScalableTimers.Compare;

/// <summary>The arguments of the program.</summary>
internal sealed record CommandLine(
    IReadOnlyList<Workload> Workloads, Scale Scale, bool IsMarkdown, bool IsJson, bool IsList)
{
    internal const string Usage =
        "Arguments: names of workloads (none: the default set), --quick, --rounds=N (at most), --markdown or --json, "
        + "--list (names and questions). Or: --docs ROOT (writes what README and docs quote of the stored results, and "
        + "their charts).";

    private const string RoundsOption = "--rounds=";

    private static readonly string[] s_options = ["--quick", "--markdown", "--json", "--list"];

    internal IReport Report => IsJson ? new JsonReport(Console.Out) : new TableReport(IsMarkdown, Console.Out);

    /// <summary>Reads the arguments.</summary>
    /// <param name="arguments">Names and options in any order.</param>
    /// <param name="error">The error in the arguments if the result is null.</param>
    internal static CommandLine? Parse(string[] arguments, out string error)
    {
        var names = arguments.Where(static argument => !argument.StartsWith('-')).Distinct().ToList();
        var workloads = names.Count == 0
            ? [.. Catalogue.DefaultSet]
            : Catalogue.All.Where(workload => names.Contains(workload.Name)).ToList();
        var options = arguments.Where(static argument => argument.StartsWith('-')).ToList();
        var scale = arguments.Contains("--quick") ? Scale.Quick : Scale.Full;
        var rounds = int.MaxValue;
        var roundsOption = options.LastOrDefault(
            static option => option.StartsWith(RoundsOption, StringComparison.Ordinal));
        var areRoundsGood = roundsOption is null
            || (int.TryParse(roundsOption[RoundsOption.Length..], CultureInfo.InvariantCulture, out rounds)
                && rounds > 0);
        string[] unknown =
        [
            .. names.Where(static name => Catalogue.All.All(workload => workload.Name != name))
                .Select(static name => $"No workload is called {name}."),
            .. areRoundsGood ? (string[])[] : ["--rounds=N needs a number above 0."],
            .. options.Except([.. s_options, roundsOption]).Select(static option => $"There is no option {option}."),
            .. arguments.Contains("--json") && arguments.Contains("--markdown")
                ? (string[])["--json and --markdown exclude each other."]
                : [],
        ];
        error = string.Join(' ', unknown);
        return unknown.Length > 0
            ? null
            : new CommandLine(
                workloads,
                scale with
                {
                    Rounds = Math.Min(scale.Rounds, rounds),
                    SlowRounds = Math.Min(scale.SlowRounds, rounds),
                },
                arguments.Contains("--markdown"),
                arguments.Contains("--json"),
                arguments.Contains("--list"));
    }
}
