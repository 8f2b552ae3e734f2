using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads;

namespace ScalableTimers.Compare;

/// <summary>The arguments of the program.</summary>
internal sealed record CommandLine(
    IReadOnlyList<Workload> Workloads, bool IsDefaultSet, Scale Scale, bool IsMarkdown, bool IsJson, bool IsList)
{
    internal const string Usage =
        "Arguments: names of workloads (none: the default set), --quick, --markdown or --json, --list (names and "
        + "questions). Or: --charts RESULTS IMAGES (draws the charts of the docs from stored results).";

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
        var options = arguments.Where(static argument => argument.StartsWith('-'));
        string[] unknown =
        [
            .. names.Where(static name => Catalogue.All.All(workload => workload.Name != name))
                .Select(static name => $"No workload is called {name}."),
            .. options.Except(s_options).Select(static option => $"There is no option {option}."),
            .. arguments.Contains("--json") && arguments.Contains("--markdown")
                ? (string[])["--json and --markdown exclude each other."]
                : [],
        ];
        error = string.Join(' ', unknown);
        return unknown.Length > 0
            ? null
            : new CommandLine(
                workloads,
                IsDefaultSet: names.Count == 0,
                arguments.Contains("--quick") ? Scale.Quick : Scale.Full,
                arguments.Contains("--markdown"),
                arguments.Contains("--json"),
                arguments.Contains("--list"));
    }
}
