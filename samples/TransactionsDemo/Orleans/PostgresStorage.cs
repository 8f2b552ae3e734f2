using Npgsql;

namespace TransactionsDemo.OnOrleans;

/// <summary>Orleans' ADO.NET storage on PostgreSQL, with a table and queries of the demo's own.</summary>
internal static class PostgresStorage
{
    private const string Schema = "TransactionsDemo.Orleans.Schema.sql";

    /// <summary>A silo needs this many at most; the server has to have as many for each.</summary>
    private const int MaxConnections = 40;

    public static void AddTo(ISiloBuilder silo, string location) =>
        silo.AddAdoNetGrainStorage(OrleansEngine.StorageName, options =>
    {
        options.Invariant = "Npgsql";
        options.ConnectionString = Connection(location);
    });

    /// <summary>Makes the table, or empties it.</summary>
    public static async Task PrepareAsync(string location)
    {
        using var reader = new StreamReader(typeof(PostgresStorage).Assembly.GetManifestResourceStream(Schema)!);
        await using var server = NpgsqlDataSource.Create(Connection(location));
        await using var command = server.CreateCommand(await reader.ReadToEndAsync());
        await command.ExecuteNonQueryAsync();
    }

    public static async Task<string> DescribeAsync(string location)
    {
        await using var server = NpgsqlDataSource.Create(Connection(location));
        await using var connection = await server.OpenConnectionAsync();
        return $"PostgreSQL {connection.PostgreSqlVersion}";
    }

    private static string Connection(string location) =>
        new NpgsqlConnectionStringBuilder(location) { MaxPoolSize = MaxConnections }.ConnectionString;
}
