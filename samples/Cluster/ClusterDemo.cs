using Cluster.Report;
using Cluster.Rounds;

namespace Cluster;

/// <summary>Runs the rounds and reports them.</summary>
internal static class ClusterDemo
{
    private const int Interrupted = 130;

    /// <returns>0, or 1 if money or a transfer is not as its caller was told.</returns>
    public static async Task<int> RunAsync(ClusterSettings settings, CancellationToken cancellationToken)
    {
        try
        {
            return await RunAllAsync(settings, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return Interrupted;
        }
    }

    private static async Task<int> RunAllAsync(ClusterSettings settings, CancellationToken cancellationToken)
    {
        var results = new List<RoundResult>();
        foreach (var scenario in settings.Scenarios)
        {
            if (scenario.StopsDatabase && settings.Server is null)
            {
                Console.WriteLine($"{scenario.Name}: left out, because the database is not the demo's own.");
                continue;
            }

            foreach (var recoversFast in settings.Presets)
            {
                foreach (var hasPlugin in settings.Variants)
                {
                    var round = new Round(settings, scenario, hasPlugin, recoversFast);
                    Console.WriteLine();
                    Console.WriteLine($"{scenario.Name}, {round.Title}: {scenario.What}.");
                    var result = await round.RunAsync(cancellationToken);
                    results.Add(result);
                    foreach (var error in result.Errors.Take(10))
                    {
                        Console.WriteLine($"WRONG: {error}");
                    }

                    Console.WriteLine($"Things that are wrong with money and transfers: {result.Errors.Count}.");
                }
            }
        }

        Console.WriteLine();
        foreach (var line in ResultTable.Of(results))
        {
            Console.WriteLine(line);
        }

        if (settings.Report is { } report)
        {
            await File.WriteAllTextAsync(report.FullName, ResultPage.Of(results), cancellationToken);
            Console.WriteLine($"Charts: {report.FullName}");
        }

        return results.All(static result => result.Errors.Count == 0) ? 0 : 1;
    }
}
