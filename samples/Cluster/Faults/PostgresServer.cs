using System.Diagnostics;
using Npgsql;

namespace Cluster.Faults;

/// <summary>A database server that the demo started and may stop.</summary>
/// <param name="script">The script that controls the server.</param>
/// <param name="folder">The folder of the server.</param>
internal sealed class PostgresServer(string script, string folder)
{
    /// <summary>Creates and starts the server.</summary>
    /// <returns>How to connect to it; null if it cannot be had, which the script has explained.</returns>
    public async Task<string?> CreateAsync(CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(script, ["create", folder]) { RedirectStandardOutput = true };
        using var process = Process.Start(start)!;
        var connection = await process.StandardOutput.ReadToEndAsync(cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        return process.ExitCode == 0 ? connection.Trim() : null;
    }

    /// <param name="command">start, stop or kill.</param>
    public async Task RunAsync(string command)
    {
        using var process = Process.Start(script, [command, folder]);
        await process.WaitForExitAsync();
        if (process.ExitCode != 0)
        {
            throw new InvalidOperationException($"{script} {command} has failed with exit code {process.ExitCode}.");
        }
    }

    /// <summary>Throws if the database does not answer.</summary>
    public static async Task CheckAsync(string connection, CancellationToken cancellationToken)
    {
        await using var server = NpgsqlDataSource.Create(connection);
        await using var command = server.CreateCommand("select 1");
        await command.ExecuteNonQueryAsync(cancellationToken);
    }

    /// <summary>Removes what earlier rounds left, and creates the tables.</summary>
    public static async Task PrepareAsync(string connection)
    {
        using var schema = new StreamReader(typeof(PostgresServer).Assembly.GetManifestResourceStream("Schema.sql")!);
        await using var server = NpgsqlDataSource.Create(connection);
        await using var command = server.CreateCommand(
            "drop schema public cascade; create schema public; " + await schema.ReadToEndAsync());
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>The silos with a status; none if the database does not answer.</summary>
    public static async Task<IReadOnlyList<(string Name, int Generation)>> ReadSilosAsync(
        NpgsqlDataSource database, SiloStatus status)
    {
        var silos = new List<(string, int)>();
        try
        {
            await using var command = database.CreateCommand(
                $"select silo_name, generation from member where status = {(int)status}");
            await using var reader = await command.ExecuteReaderAsync();
            while (await reader.ReadAsync())
            {
                silos.Add((reader.GetString(0), reader.GetInt32(1)));
            }
        }
        catch (NpgsqlException)
        {
        }

        return silos;
    }
}
