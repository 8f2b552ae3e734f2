using System.Globalization;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare;

/// <summary>The command line of a program that compares.</summary>
internal static class Bench
{
    private const string RoundsOption = "--rounds=";

    private static readonly string[] s_options = ["--quick", "--list"];

    /// <param name="arguments">Names and options in any order.</param>
    /// <param name="workloads">All workloads of the program.</param>
    /// <returns>The exit code: 2 for an error in the arguments.</returns>
    internal static int Run(string[] arguments, IReadOnlyList<Workload> workloads)
    {
        ChildProcess.RunIfChild(arguments, workloads);
        var roundsOption = arguments.LastOrDefault(
            static argument => argument.StartsWith(RoundsOption, StringComparison.Ordinal));
        var rounds = int.MaxValue;
        var areRoundsGood = roundsOption is null
            || (int.TryParse(roundsOption[RoundsOption.Length..], CultureInfo.InvariantCulture, out rounds)
                && rounds > 0);
        var names = arguments.Where(static argument => !argument.StartsWith('-')).ToList();
        var unknown = arguments
            .Except([.. s_options, roundsOption ?? "", .. workloads.Select(static workload => workload.Name)])
            .ToList();
        if (unknown.Count > 0 || !areRoundsGood)
        {
            Console.Error.WriteLine(
                $"Unknown: {string.Join(' ', unknown)} {(areRoundsGood ? "" : roundsOption)}\n"
                + "Arguments: names of workloads (none: all), --quick, --rounds=N (at most), --list.");
            return 2;
        }

        if (arguments.Contains("--list"))
        {
            workloads.ToList().ForEach(
                static workload => Console.WriteLine($"{workload.Name,-20} {workload.Question}"));
            return 0;
        }

        var scale = arguments.Contains("--quick") ? Scale.Quick : Scale.Full;
        scale = scale with { Rounds = Math.Min(scale.Rounds, rounds) };
        var results = new List<WorkloadResult>();
        foreach (var workload in workloads.Where(workload => names.Count == 0 || names.Contains(workload.Name)))
        {
            Console.Error.WriteLine($"{DateTime.Now:HH:mm:ss} {workload.Name}");
            results.Add(Comparison.Run(workload, scale));
            Report.Write(results[^1]);
        }

        Report.WriteSummary(results);
        return 0;
    }
}
