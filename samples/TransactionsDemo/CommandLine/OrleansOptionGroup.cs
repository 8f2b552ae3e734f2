using System.CommandLine;
using System.CommandLine.Parsing;
using System.Reflection;
using TransactionsDemo.Bank;

namespace TransactionsDemo.CommandLine;

/// <summary>The options that apply only to a bank on Orleans.</summary>
internal sealed class OrleansOptionGroup
{
    private const string Served = "served";
    private const string Stock = "stock";

    /// <summary>Where the script that starts PostgreSQL says how to connect to it.</summary>
    private const string PostgresVariable = "TRANSACTIONS_DEMO_POSTGRES";

#if ORLEANS_ADONET
    private const bool HasPostgres = true;
#else
    private const bool HasPostgres = false;
#endif

    private readonly Option<string?> _storage = DemoOption.OptionalChoice(
        "--storage",
        "What the orleans engine stores in: grains, files in a temporary folder, or PostgreSQL. Default: memory; to "
        + "kill, files.",
        allowed: DemoOption.NamesOf<StorageKind>());

    private readonly Option<string?> _postgres = new("--postgres")
    {
        Description =
            "How to connect to PostgreSQL, to a database for this only. Default: one that ./demo.sh starts and "
            + "removes.",
        HelpName = "connection string",
    };

    private readonly Option<TimeSpan?> _killAfter = DemoOption.OptionalDuration(
        "--kill-after",
        "When the last silo is killed, after the start of the load. Then silos are processes, and one round without "
        + "faults is the default.",
        from: TimeSpan.FromSeconds(1),
        to: TimeSpan.FromHours(1));

    private readonly Option<string?> _recovery = DemoOption.OptionalChoice(
        "--recovery",
        "Time-outs of Orleans' transactions: the demo's own, Orleans' defaults, or for fast recovery. Default: short; "
        + "to kill, default.",
        allowed: DemoOption.NamesOf<TransactionOptionsKind>());

    private readonly Option<TimeSpan?> _probe = DemoOption.OptionalDuration(
        "--probe",
        "How long silos wait for each other's answers to probes; three unanswered ones are death. Default: Orleans' "
        + "5s.",
        from: TimeSpan.FromMilliseconds(100),
        to: TimeSpan.FromMinutes(1));

    private readonly Option<string?> _staticTimers = DemoOption.OptionalChoice(
        "--static-timers",
        "Who serves Orleans' static timers, which its transactions start: Orleans or scalable timers. "
            + "Default: the plugin's.",
        allowed: [Served, Stock]);

    private readonly Option<bool> _noPhases = new("--no-phases")
    {
        Description = "Does not measure the phases of Orleans' transactions. Without scalable timers, the silos then "
            + "have nothing of this project.",
    };

    public IEnumerable<Option> Options =>
        [_storage, _postgres, _killAfter, _recovery, _probe, _staticTimers, _noPhases];

    /// <summary>Those that a bank with any timers can be told.</summary>
    public IReadOnlyList<Option> OfAnyBank => [_storage, _postgres, _recovery, _probe];

    /// <summary>Those that ask for more than two ways to keep time, or for other ones.</summary>
    public IReadOnlyList<Option> OfKinds => [_killAfter, _staticTimers, _noPhases];

    public TimeSpan? KillAfter(ParseResult result) => result.GetValue(_killAfter);

    /// <summary>While the command line is being checked.</summary>
    public TimeSpan? KillAfter(CommandResult result) =>
        TextOf(result, _killAfter) is { } text && DurationText.TryParse(text, out var killAfter) ? killAfter : null;

    /// <summary>Adds the options to the settings of a bank.</summary>
    public BankSettings Read(ParseResult result, BankSettings bank)
    {
        var killAfter = KillAfter(result);
        var storage = Parse<StorageKind>(
            result.GetValue(_storage)) ?? (killAfter is null ? StorageKind.Memory : StorageKind.Files);
        return bank with
        {
            Storage = storage,
            StorageLocation = storage == StorageKind.Postgres ? PostgresServer(result) : null,
            KillAfter = killAfter,
            TransactionOptions = Parse<TransactionOptionsKind>(result.GetValue(_recovery))
                ?? (killAfter is null ? TransactionOptionsKind.Short : TransactionOptionsKind.Default),
            MeasuresPhases = !result.GetValue(_noPhases),
            ProbeTimeout = result.GetValue(_probe),
            ServesStaticTimers = result.GetValue(_staticTimers) is { } answer ? answer == Served : null,
        };
    }

    /// <summary>Checks the command line.</summary>
    /// <param name="result">The parsed command line.</param>
    /// <param name="engine">The engine of the bank.</param>
    /// <param name="isAlone">Whether the bank has only one silo.</param>
    public IEnumerable<string> Errors(CommandResult result, string engine, bool isAlone)
    {
        var storage = TextOf(result, _storage);
        if (storage == "postgres" && !HasPostgres)
        {
            yield return $"--storage postgres: this build is without Orleans' ADO.NET storage: {WhyWithoutPostgres()}.";
        }
        else if (
            storage == "postgres"
                && TextOf(result, _postgres) is null
                && Environment.GetEnvironmentVariable(PostgresVariable) is null)
        {
            yield return "--storage postgres: there is no server. ./demo.sh starts one, or say where it is with "
                + "--postgres.";
        }

        if (TextOf(result, _killAfter) is { } killAfter)
        {
            if (engine != "orleans" || isAlone)
            {
                yield return $"--kill-after {killAfter}: needs --engine orleans and two silos or more; the first is "
                    + "never killed.";
            }

            if (storage == "memory")
            {
                yield return $"--kill-after {killAfter}: with --storage memory a silo's accounts are lost with it; use "
                    + "files or postgres.";
            }
        }
    }

    private string PostgresServer(ParseResult result) =>
        result.GetValue(_postgres) ?? Environment.GetEnvironmentVariable(PostgresVariable)!;

    private static string WhyWithoutPostgres()
    {
        var answer = typeof(OrleansOptionGroup).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .FirstOrDefault(static each => each.Key == "OrleansAdoNet")?.Value;
        return string.IsNullOrEmpty(answer)
            ? "it is without Orleans"
            : answer.Replace("off (", string.Empty, StringComparison.Ordinal).TrimEnd(')');
    }

    private static string? TextOf(CommandResult result, Option option) =>
        result.GetResult(option)?.Tokens is [{ } token] ? token.Value : null;

    private static T? Parse<T>(string? name)
        where T : struct, Enum =>
        name is null ? null : Enum.Parse<T>(name, ignoreCase: true);
}
