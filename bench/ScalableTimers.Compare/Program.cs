using ScalableTimers.Compare;
using ScalableTimers.Compare.Workloads;

Workload[] all = [new ScheduleThenCancel(pending: 0), new ScheduleThenCancel(pending: 1_000_000), new Firing(), new PendingBytes(), new IdleProcessor()];
var names = args.Where(static arg => !arg.StartsWith("--", StringComparison.Ordinal)).ToList();
var unknown = names.Where(name => all.All(workload => workload.Name != name))
    .Concat(args.Where(static arg => arg.StartsWith("--", StringComparison.Ordinal) && arg is not ("--quick" or "--markdown")))
    .ToList();
if (unknown.Count > 0)
{
    Console.Error.WriteLine($"Unknown: {string.Join(", ", unknown)}. Workloads: {string.Join(", ", all.Select(static workload => workload.Name))}; options: --quick, --markdown.");
    return 2;
}

var scale = args.Contains("--quick") ? Scale.Quick : Scale.Full;
var table = new ResultTable(args.Contains("--markdown"), Console.Out);
table.WriteMachine(scale);
foreach (var workload in all.Where(workload => names.Count == 0 || names.Contains(workload.Name)))
{
    table.Write(workload, Comparison.Run(workload, scale));
}

return 0;
