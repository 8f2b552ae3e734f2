using System.Globalization;
using Shared;

namespace ScalableTimers.Compare.Running;

/// <summary>Runs a round in another process.</summary>
internal static class ChildProcess
{
    private const string Argument = "--child";

    internal static Measurement Run(Workload workload, Contestant contestant, Scale scale)
    {
        var divisor = scale.Divisor.ToString(CultureInfo.InvariantCulture);
        string[] arguments = [Argument, workload.Name, contestant.Name, divisor];
        return OwnProcess.RunAsync<Measurement>(arguments, tell: static _ => { }).GetAwaiter().GetResult();
    }

    /// <summary>Runs the round and exits, if this process is a child.</summary>
    internal static void RunIfChild(string[] arguments, IReadOnlyList<Workload> workloads)
    {
        if (arguments is not [Argument, var name, var contestant, var divisor])
        {
            return;
        }

        var scale = new Scale(Rounds: 1, int.Parse(divisor, CultureInfo.InvariantCulture));
        OwnProcess.Report(workloads.Single(workload => workload.Name == name).Contestants(scale)
            .Single(one => one.Name == contestant)
            .Run());
        Environment.Exit(0);
    }
}
