using ScalableTimers.Compare;
using ScalableTimers.Compare.Reporting;
using ScalableTimers.Compare.Workloads;

if (args is ["--docs", var root])
{
    foreach (var (path, text) in new ResultTables(root).Pages().ToList())
    {
        File.WriteAllText(path, text);
    }

    return 0;
}

return Bench.Run(args, Catalogue.All);
