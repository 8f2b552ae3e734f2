using Npgsql;

namespace TransactionsDemo.OnOrleans;

/// <summary>Orleans' ADO.NET storage on PostgreSQL, with a table and queries of the demo's own.</summary>
internal static class PostgresStorage
{
    private const string Schema = "TransactionsDemo.Orleans.Schema.sql";

    /// <summary>The most connections that a silo needs. The server must have that many for each silo.</summary>
    private const int MaxConnections = 40;

    public static void AddTo(ISiloBuilder silo, string location) =>
        silo.AddAdoNetGrainStorage(OrleansEngine.StorageName, options =>
    {
        options.Invariant = "Npgsql";
        options.ConnectionString = Connection(location);
    });

    /// <summary>Creates the table, or empties it.</summary>
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
