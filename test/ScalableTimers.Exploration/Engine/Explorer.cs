using System.Diagnostics;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Runs a scenario again and again, by a strategy, until an interleaving fails or none is left.</summary>
internal sealed class Explorer(Scenario scenario)
{
    private const int MaxVoid = 50;

    private readonly long _began = Stopwatch.GetTimestamp();

    internal Scenario Scenario => scenario;

    internal int Interleavings { get; private set; }

    internal MemoryModel Model { get; init; }

    internal Mutant? Mutant { get; init; }

    /// <summary>When to give up, in interleavings and in time.</summary>
    internal int MaxInterleavings { get; init; } = int.MaxValue;

    internal TimeSpan MaxTime { get; init; } = TimeSpan.MaxValue;

    /// <summary>Receives the places of all operations.</summary>
    internal HashSet<Site>? Sites { get; init; }

    /// <summary>Whether to skip decisions at operations that no other thread can notice.</summary>
    internal bool IsPruned { get; init; } = true;

    /// <summary>
    /// The shared places that earlier explorations of the scenario have found. This exploration adds to them.
    /// </summary>
    internal SharedSites Shared { get; init; } = new();

    /// <summary>Runs every interleaving with zero, one, two … preemptions, until one fails.</summary>
    internal ExplorationResult DepthFirst(int bound)
    {
        var found = DepthFirstAt(0);
        for (var preemptions = 1; preemptions <= bound && found is { Failure: null, IsComplete: true }; preemptions++)
        {
            found = DepthFirstAt(preemptions);
        }

        return found;
    }

    /// <summary>
    /// Runs every interleaving with at most a given number of preemptions, without the smaller bounds first.
    /// </summary>
    internal ExplorationResult DepthFirstAt(int bound) => Explore(new DepthFirst(bound), $"bound {bound}");

    internal ExplorationResult RandomWalk(int seed, int count) =>
        Explore(new RandomWalk(seed, count), $"random walk, seed {seed}");

    /// <returns>The failure, which is null if it did not fail, and a report of all steps.</returns>
    internal (string? Failure, string Report) Replay(string schedule)
    {
        var trace = new List<string>();
        var failure = Run(new Replay(schedule), shared: null, trace).Failure;
        var report =
            $"""
            {scenario.Name}, {Model}{(Mutant is null ? "" : $", mutant {Mutant.Name}")}: {failure}
            schedule "{schedule}"
            {string.Join(Environment.NewLine, trace)}
            """;
        return (failure, report);
    }

    private ExplorationResult Explore(Strategy strategy, string name)
    {
        while (strategy.Begin())
        {
            if (Interleavings >= MaxInterleavings || Stopwatch.GetElapsedTime(_began) >= MaxTime)
            {
                return Result(isComplete: false);
            }

            Interleavings++;
            var run = Run(strategy, IsPruned ? Shared : null, trace: null);
            if (run.Failure is { } failure)
            {
                return Result(isComplete: false) with
                {
                    Failure = failure,
                    Schedule = run.Schedule,
                    Report = Confirm(failure, run.Schedule),
                };
            }

            if (run.HasLearned)
            {
                strategy.StartOver();
            }
        }

        return Result(isComplete: true);

        ExplorationResult Result(bool isComplete) =>
            new(name, Interleavings, Stopwatch.GetElapsedTime(_began), isComplete);
    }

    // A failure that does not repeat is a defect of the engine, or the scenario is not deterministic.
    private string Confirm(string failure, string schedule)
    {
        var (again, report) = Replay(schedule);
        return FirstLine(again) == FirstLine(failure)
            ? report
            : throw new InvalidOperationException(
                $"Replayed, {scenario.Name} {schedule} fails with \"{again}\" in place of \"{failure}\".");
    }

    private Interleaving Run(Strategy strategy, SharedSites? shared, List<string>? trace)
    {
        for (var i = 0; i < MaxVoid; i++)
        {
            trace?.Clear();
            var run = new Interleaving(this, strategy, shared, trace);
            run.Execute();
            if (!run.IsVoid)
            {
                return run;
            }

            strategy.BeginAgain();
        }

        throw new InvalidOperationException(
            $"{scenario.Name}: a garbage collection in each of {MaxVoid} interleavings.");
    }

    private static string? FirstLine(string? text) => text?.Split('\n')[0].Split('#')[0];
}
