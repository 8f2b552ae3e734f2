using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;

namespace ScalableTimers.Compare;

/// <summary>The command line of a program that compares.</summary>
internal static class Bench
{
    /// <param name="arguments">Names and options in any order.</param>
    /// <param name="workloads">All workloads of the program.</param>
    /// <returns>The exit code: 2 for an error in the arguments.</returns>
    internal static int Run(string[] arguments, IReadOnlyList<Workload> workloads)
    {
        ChildProcess.RunIfChild(arguments, workloads);
        var names = arguments.Where(static argument => !argument.StartsWith('-')).ToList();
        var unknown = arguments
            .Except(["--quick", "--list", .. workloads.Select(static workload => workload.Name)])
            .ToList();
        if (unknown.Count > 0)
        {
            Console.Error.WriteLine(
                $"Unknown: {string.Join(' ', unknown)}\n"
                + "Arguments: names of workloads (none: all), --quick, --list.");
            return 2;
        }

        if (arguments.Contains("--list"))
        {
            workloads.ToList().ForEach(
                static workload => Console.WriteLine($"{workload.Name,-20} {workload.Question}"));
            return 0;
        }

        var scale = arguments.Contains("--quick") ? Scale.Quick : Scale.Full;
        foreach (var workload in workloads.Where(workload => names.Count == 0 || names.Contains(workload.Name)))
        {
            Console.Error.WriteLine($"{DateTime.Now:HH:mm:ss} {workload.Name}");
            Report.Write(Comparison.Run(workload, scale));
        }

        return 0;
    }
}
