using ScalableTimers.Compare;
using ScalableTimers.Compare.Aims;
using ScalableTimers.Compare.Charts;
using ScalableTimers.Compare.Pages;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Running;
using ScalableTimers.Compare.Workloads;
using ScalableTimers.Compare.Workloads.Partitioned;
using ScalableTimers.Compare.Workloads.Periodic;

if (args is ["--docs", var root])
{
    var complaints = new List<string>();
    var written = AllCharts.Draw(root, complaints.Add).Concat(new QuotedPages(root).Update(complaints.Add));
    foreach (var (path, text) in written)
    {
        File.WriteAllText(path, text);
    }

    complaints.ForEach(Console.Error.WriteLine);
    return complaints.Count == 0 ? 0 : 1;
}

if (PeriodicChild.TryRun(args) || PartitionedChild.TryRun(args))
{
    return 0;
}

if (CommandLine.Parse(args, out var error) is not { } commandLine)
{
    Console.Error.WriteLine(
        $"{error} {CommandLine.Usage} Workloads: "
        + $"{string.Join(", ", Catalogue.All.Select(static workload => workload.Name))}.");
    return 2;
}

if (commandLine.IsList)
{
    Catalogue.Write(Console.Out);
    return 0;
}

var report = commandLine.Report;
report.Begin(Machine.Current(), commandLine.Scale);
var results = new Dictionary<string, WorkloadResult>();
foreach (var workload in commandLine.Workloads)
{
    if (Console.IsOutputRedirected)
    {
        Console.Error.WriteLine(workload.Name);
    }

    results[workload.Name] = Comparison.Run(workload, commandLine.Scale);
    report.Add(results[workload.Name]);
}

report.End([.. WhatWeAimFor.All.Where(aim => aim.CanBeJudged(results)).Select(aim => aim.Judge(results))]);
return 0;
