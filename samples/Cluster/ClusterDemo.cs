using Cluster.Faults;
using Cluster.Report;
using Cluster.Rounds;
using Npgsql;

namespace Cluster;

/// <summary>Runs the rounds and reports them.</summary>
internal static class ClusterDemo
{
    private const int NothingToDo = 2;
    private const int NoDatabase = 3;
    private const int Interrupted = 130;

    /// <returns>
    /// 0, or 1 if the accounts differ from what callers were told, a wait was early or lost, or a round broke off.
    /// </returns>
    public static async Task<int> RunAsync(ClusterSettings settings, CancellationToken cancellationToken)
    {
        var possible = settings.Scenarios.Where(each => !each.StopsDatabase || settings.Server is not null).ToList();
        foreach (var scenario in settings.Scenarios.Except(possible))
        {
            Console.WriteLine($"{scenario.Name}: left out, because the database is not the demo's own.");
        }

        if (possible.Count == 0)
        {
            Console.WriteLine("Nothing is left to run.");
            return NothingToDo;
        }

        try
        {
            return await ConnectAsync(settings, cancellationToken) is { } postgres
                ? await RunAsync(settings, possible, postgres, cancellationToken)
                : NoDatabase;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return Interrupted;
        }
    }

    /// <summary>Returns how to connect to the database, or says why nobody can and returns null.</summary>
    private static async Task<string?> ConnectAsync(ClusterSettings settings, CancellationToken cancellationToken)
    {
        var postgres = settings.Postgres;
        if (settings.Server is { } server)
        {
            Console.WriteLine("Starting PostgreSQL. If it is missing, it is installed first.");
            postgres = await server.CreateAsync(cancellationToken);
        }

        try
        {
            if (postgres is not null)
            {
                await PostgresServer.CheckAsync(postgres, cancellationToken);
            }

            return postgres;
        }
        catch (Exception exception) when (exception is NpgsqlException or ArgumentException)
        {
            Console.WriteLine($"--postgres: {exception.Message}");
            return null;
        }
    }

    /// <summary>Returns what to say of the report at the end.</summary>
    private static async Task<string> TryWriteAsync(FileInfo report, IReadOnlyList<RoundResult> results)
    {
        try
        {
            await ResultFiles.WriteAsync(report.FullName, results);
            return $"Report: {report}";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return $"--report: {exception.Message}";
        }
    }

    private static async Task<int> RunAsync(
        ClusterSettings settings,
        IReadOnlyList<Scenario> scenarios,
        string postgres,
        CancellationToken cancellationToken)
    {
        List<Round> rounds =
        [
            .. from scenario in scenarios
               from recoversFast in settings.Presets
               from hasPlugin in settings.Variants
               select new Round(settings, postgres, scenario, hasPlugin, recoversFast),
        ];
        var length = settings.IsLong ? "at least ten minutes for each scenario"
            : settings.IsQuick ? "at most three minutes each"
            : "at most five minutes each";
        Console.WriteLine($"Rounds: {rounds.Count}, {length}.");
        var results = new List<RoundResult>();
        var said = settings.Report is null ? "--report FILE also writes a page with charts." : "No report was written.";
        for (var number = 0; number < rounds.Count && !cancellationToken.IsCancellationRequested; number++)
        {
            Console.WriteLine();
            Console.WriteLine($"Round {number + 1} of {rounds.Count}: {rounds[number].Title}");
            try
            {
                results.Add(await rounds[number].RunAsync(cancellationToken));
            }
            catch (Exception) when (cancellationToken.IsCancellationRequested)
            {
                break;
            }
            catch (Exception exception)
            {
                // The other rounds are worth having all the same.
                Console.WriteLine($"The round broke off. {exception}");
                continue;
            }

            Conclusion.OfRound(results[^1]).ForEach(Console.WriteLine);

            // After each round, because a later one may be interrupted.
            if (settings.Report is { } report)
            {
                said = await TryWriteAsync(report, results);
            }
        }

        Console.WriteLine();
        if (results.Count != 0)
        {
            Console.WriteLine(ResultTable.Brief(results));
        }

        Conclusion.OfAll(results, rounds.Count).ForEach(Console.WriteLine);
        Console.WriteLine(said);
        return cancellationToken.IsCancellationRequested ? Interrupted
            : results.Count == rounds.Count && results.All(static result => result.Errors.Count == 0) ? 0 : 1;
    }
}
