using Cluster.Report;
using Cluster.Rounds;

namespace Cluster;

/// <summary>Runs the rounds and reports them.</summary>
internal static class ClusterDemo
{
    private const int Interrupted = 130;

    /// <returns>
    /// 0, or 1 if the accounts differ from what callers were told, a wait was early or lost, or a round broke off.
    /// </returns>
    public static async Task<int> RunAsync(ClusterSettings settings, CancellationToken cancellationToken)
    {
        var results = new List<RoundResult>();
        var isWhole = true;
        var possible = settings.Scenarios.Where(each => !each.StopsDatabase || settings.Server is not null).ToList();
        foreach (var scenario in settings.Scenarios.Except(possible))
        {
            Console.WriteLine($"{scenario.Name}: left out, because the database is not the demo's own.");
        }

        var rounds =
            from scenario in possible
            from recoversFast in settings.Presets
            from hasPlugin in settings.Variants
            select new Round(settings, scenario, hasPlugin, recoversFast);
        foreach (var round in rounds)
        {
            Console.WriteLine();
            Console.WriteLine(round.Title);
            try
            {
                results.Add(await round.RunAsync(cancellationToken));
            }
            catch (Exception) when (cancellationToken.IsCancellationRequested)
            {
                return Interrupted;
            }
            catch (Exception exception)
            {
                // The other rounds are worth having all the same.
                Console.WriteLine($"WRONG: the round broke off. {exception}");
                isWhole = false;
                continue;
            }

            foreach (var error in results[^1].Errors.Take(10))
            {
                Console.WriteLine($"WRONG: {error}");
            }

            Console.WriteLine($"Errors: {results[^1].Errors.Count}.");

            // After each round, because a later one may be interrupted.
            if (settings.Report is { } report)
            {
                await ResultFiles.WriteAsync(report.FullName, results, cancellationToken);
            }
        }

        Console.WriteLine();
        Console.Write(ResultTable.Of(results));
        return isWhole && results.All(static result => result.Errors.Count == 0) ? 0 : 1;
    }
}
