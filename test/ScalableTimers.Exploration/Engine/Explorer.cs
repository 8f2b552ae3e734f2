using System.Diagnostics;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Runs a scenario again and again, by a strategy, until an interleaving fails or none is left.</summary>
internal sealed class Explorer
{
    private const int MaxVoid = 50;

    private readonly Scenario _scenario;

    internal Explorer(Scenario scenario) => _scenario = scenario;

    internal MemoryModel Model { get; init; }

    internal Mutant? Mutant { get; init; }

    /// <summary>When to give up, in interleavings and in time.</summary>
    internal int MaxInterleavings { get; init; } = int.MaxValue;

    internal TimeSpan MaxTime { get; init; } = TimeSpan.MaxValue;

    /// <summary>Receives the places of all operations.</summary>
    internal HashSet<Site>? Sites { get; init; }

    /// <summary>Every interleaving with none, one, two … preemptions, until one fails.</summary>
    internal ExplorationResult DepthFirst(int bound)
    {
        var began = Stopwatch.GetTimestamp();
        var interleavings = 0;
        for (var preemptions = 0; ; preemptions++)
        {
            var found = Explore(new DepthFirst(preemptions), $"bound {preemptions}", began, interleavings);
            if (found.Failure is not null || !found.IsComplete || preemptions == bound)
            {
                return found;
            }

            // The next bound begins with these again, and counts them.
            interleavings = 0;
        }
    }

    internal ExplorationResult RandomWalk(int seed, int count) => Explore(new RandomWalk(seed, count), $"random walk, seed {seed}", Stopwatch.GetTimestamp(), 0);

    internal ExplorationResult PriorityWalk(int seed, int depth, int count) =>
        Explore(new PriorityWalk(seed, depth, count), $"priorities, depth {depth}, seed {seed}", Stopwatch.GetTimestamp(), 0);

    /// <summary>Runs one interleaving again.</summary>
    /// <returns>How it failed, step by step; null if it did not.</returns>
    internal string? Replay(string schedule)
    {
        var trace = new List<string>();
        var replay = new Replay(Schedule.Parse(schedule));
        replay.Begin();
        var run = Run(replay, trace);
        return run.Failure is { } failure ? Report(failure, schedule, trace) : null;
    }

    private ExplorationResult Explore(Strategy strategy, string name, long began, int interleavings)
    {
        while (strategy.Begin())
        {
            if (interleavings >= MaxInterleavings || Stopwatch.GetElapsedTime(began) >= MaxTime)
            {
                return new ExplorationResult(name, interleavings, Stopwatch.GetElapsedTime(began), IsComplete: false, null, null, null);
            }

            interleavings++;
            var run = Run(strategy, trace: null);
            if (run.Failure is { } failure)
            {
                var schedule = run.Schedule.ToString();
                return new ExplorationResult(name, interleavings, Stopwatch.GetElapsedTime(began), IsComplete: false, failure, schedule, Confirm(failure, schedule));
            }
        }

        return new ExplorationResult(name, interleavings, Stopwatch.GetElapsedTime(began), IsComplete: true, null, null, null);
    }

    // A failure that does not come again is the engine's or a scenario's that is not deterministic.
    private string Confirm(string failure, string schedule)
    {
        var trace = new List<string>();
        var replay = new Replay(Schedule.Parse(schedule));
        replay.Begin();
        var again = Run(replay, trace).Failure;
        return FirstLine(again) == FirstLine(failure)
            ? Report(failure, schedule, trace)
            : throw new InvalidOperationException($"Replayed, {_scenario.Name} {schedule} fails with \"{again}\" in place of \"{failure}\".");
    }

    private Interleaving Run(Strategy strategy, List<string>? trace)
    {
        for (var i = 0; i < MaxVoid; i++)
        {
            trace?.Clear();
            var run = new Interleaving(_scenario, strategy, Model, Mutant, trace, Sites);
            run.Execute();
            if (!run.IsVoid)
            {
                return run;
            }

            strategy.BeginAgain();
        }

        throw new InvalidOperationException($"{_scenario.Name}: a garbage collection in each of {MaxVoid} interleavings.");
    }

    private string Report(string failure, string schedule, List<string> trace) =>
        $"""
        {_scenario.Name}, {Model}{(Mutant is null ? "" : $", mutant {Mutant.Name}")}: {failure}
        schedule "{schedule}"
        {string.Join(Environment.NewLine, trace)}
        """;

    private static string? FirstLine(string? text) => text?.Split('\n')[0].Split('#')[0];
}
