namespace ScalableTimers.Exploration.Tests;

/// <summary>How much is explored.</summary>
internal static class Effort
{
    private const string FormVariable = "SCALABLE_TIMERS_STRESS";
    private const string ScenarioVariable = "SCALABLE_TIMERS_SCENARIO";
    private const string SeedVariable = "SCALABLE_TIMERS_STRESS_SEED";
    private const string TableVariable = "SCALABLE_TIMERS_EXPLORATION_TABLE";

    /// <summary>The seed of random walks. A failure prints its schedule, which needs no seed.</summary>
    internal static int Seed { get; } =
        int.TryParse(Environment.GetEnvironmentVariable(SeedVariable), out var seed) ? seed : Random.Shared.Next();

    internal static bool IsFull { get; } = Environment.GetEnvironmentVariable(FormVariable) switch
    {
        null or "" or "short" => false,
        "full" => true,
        var other => throw new InvalidOperationException($"{FormVariable} is {other}; it must be short or full."),
    };

    /// <summary>Whether to explore a scenario: all, unless a part of a name is given.</summary>
    internal static bool IsWanted(string scenario) =>
        Environment.GetEnvironmentVariable(ScenarioVariable) is not { Length: > 0 } part
            || scenario.Contains(part, StringComparison.Ordinal);

    /// <summary>
    /// The limit for a scenario with a memory model, far more than it needs. A search that reaches it fails its test.
    /// </summary>
    internal static TimeSpan PerScenario { get; } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The limit at full length with one more preemption. Some searches would take days, so they may be cut off, and
    /// their rows say so.
    /// </summary>
    internal static TimeSpan PerDeeperSearch { get; } = TimeSpan.FromMinutes(1);

    /// <summary>How many interleavings a mutant may take.</summary>
    internal static int PerMutant => IsFull ? 50_000 : 10_000;

    internal static int Walks => IsFull ? 20_000 : 100;

    /// <summary>Appends rows of searches or mutants to the requested file, if any.</summary>
    internal static void AddToTable(string rows)
    {
        if (Environment.GetEnvironmentVariable(TableVariable) is { Length: > 0 } file)
        {
            File.AppendAllText(file, rows);
        }
    }
}
