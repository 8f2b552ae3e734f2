using System.Diagnostics;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Engine;

/// <summary>Runs a scenario again and again, by a strategy, until an interleaving fails or none is left.</summary>
internal sealed class Explorer
{
    private const int MaxVoid = 50;

    private readonly Scenario _scenario;
    private SharedSites? _shared;
    private long _began;
    private int _total;

    internal Explorer(Scenario scenario) => _scenario = scenario;

    internal MemoryModel Model { get; init; }

    internal Mutant? Mutant { get; init; }

    /// <summary>When to give up, in interleavings and in time.</summary>
    internal int MaxInterleavings { get; init; } = int.MaxValue;

    internal TimeSpan MaxTime { get; init; } = TimeSpan.MaxValue;

    /// <summary>Receives the places of all operations.</summary>
    internal HashSet<Site>? Sites { get; init; }

    /// <summary>Whether there is no decision at operations that no other thread can notice.</summary>
    internal bool IsPruned { get; init; } = true;

    /// <summary>
    /// The shared places that earlier explorations of the scenario have learned. This exploration adds to them.
    /// </summary>
    internal SharedSites? Shared
    {
        get => _shared;
        init => _shared = value;
    }

    /// <summary>Whether store buffers may make a difference, as far as the interleavings so far have shown.</summary>
    internal bool HasReordering => _shared?.HasReordering != false;

    /// <summary>Runs every interleaving with zero, one, two … preemptions, until one fails.</summary>
    internal ExplorationResult DepthFirst(int bound)
    {
        Start();
        for (var preemptions = 0; ; preemptions++)
        {
            var found = ExploreBound(preemptions);
            if (found.Failure is not null || !found.IsComplete || preemptions == bound)
            {
                return found;
            }
        }
    }

    /// <summary>
    /// Runs every interleaving with at most a given number of preemptions, without the smaller bounds first.
    /// </summary>
    internal ExplorationResult DepthFirstAt(int bound)
    {
        Start();
        return ExploreBound(bound);
    }

    internal ExplorationResult RandomWalk(int seed, int count)
    {
        Start();
        _shared?.BeginFirstRound();
        return Explore(new RandomWalk(seed, count), $"random walk, seed {seed}");
    }

    /// <summary>Runs one interleaving again.</summary>
    /// <returns>The failure, step by step; null if it did not fail.</returns>
    internal string? Replay(string schedule)
    {
        var trace = new List<string>();
        var replay = new Replay(Schedule.Parse(schedule));
        replay.Begin();
        var run = Run(replay, shared: null, trace);
        return run.Failure is { } failure ? Report(failure, schedule, trace) : null;
    }

    private void Start()
    {
        _began = Stopwatch.GetTimestamp();
        _total = 0;
        _shared = IsPruned ? _shared ?? new SharedSites() : null;
    }

    private ExplorationResult ExploreBound(int bound)
    {
        _shared?.BeginFirstRound();
        var found = Explore(new DepthFirst(bound), $"bound {bound}");
        while (found.IsComplete && bound > 0 && _shared?.TryBeginNextRound() == true)
        {
            var more = Explore(new DepthFirst(bound, isForNewPlaces: true), found.Strategy);
            found = more with { Interleavings = found.Interleavings + more.Interleavings };
        }

        return found;
    }

    private ExplorationResult Explore(Strategy strategy, string name)
    {
        var interleavings = 0;
        while (strategy.Begin())
        {
            if (_total >= MaxInterleavings || Stopwatch.GetElapsedTime(_began) >= MaxTime)
            {
                return Result(isComplete: false);
            }

            interleavings++;
            _total++;
            var run = Run(strategy, _shared, trace: null);
            if (run.Failure is { } failure)
            {
                var schedule = run.Schedule.ToString();
                return Result(isComplete: false) with
                {
                    Failure = failure,
                    Schedule = schedule,
                    Report = Confirm(failure, schedule),
                };
            }

            // Walks may use at once what they learn.
            if (!strategy.IsExhaustive)
            {
                _shared?.BeginFirstRound();
            }
        }

        return Result(isComplete: true);

        ExplorationResult Result(bool isComplete) =>
            new(name, interleavings, _total, Stopwatch.GetElapsedTime(_began), isComplete);
    }

    // A failure that cannot be repeated is a defect of the engine, or the scenario is not deterministic.
    private string Confirm(string failure, string schedule)
    {
        var trace = new List<string>();
        var replay = new Replay(Schedule.Parse(schedule));
        replay.Begin();
        var again = Run(replay, shared: null, trace).Failure;
        return FirstLine(again) == FirstLine(failure)
            ? Report(failure, schedule, trace)
            : throw new InvalidOperationException(
                $"Replayed, {_scenario.Name} {schedule} fails with \"{again}\" in place of \"{failure}\".");
    }

    private Interleaving Run(Strategy strategy, SharedSites? shared, List<string>? trace)
    {
        for (var i = 0; i < MaxVoid; i++)
        {
            trace?.Clear();
            var run = new Interleaving(_scenario, strategy, Model, Mutant, shared, trace, Sites);
            run.Execute();
            if (!run.IsVoid)
            {
                return run;
            }

            strategy.BeginAgain();
        }

        throw new InvalidOperationException(
            $"{_scenario.Name}: a garbage collection in each of {MaxVoid} interleavings.");
    }

    private string Report(string failure, string schedule, List<string> trace) =>
        $"""
        {_scenario.Name}, {Model}{(Mutant is null ? "" : $", mutant {Mutant.Name}")}: {failure}
        schedule "{schedule}"
        {string.Join(Environment.NewLine, trace)}
        """;

    private static string? FirstLine(string? text) => text?.Split('\n')[0].Split('#')[0];
}
