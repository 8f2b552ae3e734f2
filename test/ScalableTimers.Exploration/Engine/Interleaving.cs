using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// One execution of a scenario: one thread runs at a time, and at each point a <see cref="Strategy"/> decides which.
/// </summary>
/// <remarks>
/// The thread that reaches a point makes the decision itself and hands its baton to the next thread. So a decision to
/// continue costs no thread switch. When no thread can run, the explorer gets the baton back.
/// </remarks>
internal sealed partial class Interleaving
{
    // After so many operations some thread seems to make no progress.
    private const int MaxSteps = 50_000;

    private readonly Scenario _scenario;
    private readonly Strategy _strategy;
    private readonly List<LogicalThread> _threads = [];
    private readonly List<Action> _checks = [];
    private readonly List<int> _options = [];
    private readonly List<int> _sensible = [];
    private readonly bool _mayBeRedundant;
    private readonly Baton _explorer = Worker.Explorer;
    private readonly SortedDictionary<int, int> _choices = [];
    private readonly int _explorerId = Environment.CurrentManagedThreadId;
    private readonly int _garbageCollections = GC.CollectionCount(0);
    private LogicalThread? _running;
    private int _decisions;
    private int _steps;
    private bool _isPreparing;
    private volatile bool _isEnding;

    internal Interleaving(
        Scenario scenario,
        Strategy strategy,
        MemoryModel model,
        Mutant? mutant,
        SharedSites? shared,
        List<string>? trace, HashSet<Site>? sites)
    {
        _scenario = scenario;
        _strategy = strategy;
        Clock = new ExplorerClock(this);
        Pool = new PoolQueue(this);
        Mutant = mutant;
        Shared = shared;
        _mayBeRedundant = shared is not null
            && strategy.IsExhaustive
            && scenario.TimePasses == TimePasses.WhenNothingElseCan;
        Trace = trace;
        Sites = sites;
        Buffers = model == MemoryModel.StoreBuffers || mutant is { NeedsBuffers: true }
            ? new StoreBuffers(this, model)
            : null;
        LastSeen = mutant is { Kind: MutantKind.StaleRead } ? [] : null;
    }

    /// <summary>
    /// How long all threads may stay between two points. Only a block that the engine does not know takes longer.
    /// </summary>
    internal static TimeSpan Watchdog { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The interleaving that runs now in this process.</summary>
    internal static Interleaving? Active { get; private set; }

    /// <summary>
    /// The clock that the core gets as <see cref="TimeProvider.System"/>. Waits with a time-out use it too.
    /// </summary>
    internal ExplorerClock Clock { get; }

    internal PoolQueue Pool { get; }

    internal Mutant? Mutant { get; }

    internal StoreBuffers? Buffers { get; }

    /// <summary>The operations that other threads can notice; null if there is a decision at each operation.</summary>
    internal SharedSites? Shared { get; }

    /// <summary>For a mutant: the value of each variable that each thread has seen last.</summary>
    internal Dictionary<(LogicalThread Thread, nint Address), object?>? LastSeen { get; }

    /// <summary>A line for each step, if requested.</summary>
    internal List<string>? Trace { get; }

    internal HashSet<Site>? Sites { get; }

    internal bool IsEnding => _isEnding;

    internal string? Failure { get; private set; }

    /// <summary>Whether it was broken off, because the rest would be the same as in an earlier interleaving.</summary>
    internal bool IsRedundant { get; private set; }

    internal Schedule Schedule => new(_choices);

    /// <summary>
    /// Variables are identified by address. If the garbage collector has moved objects meanwhile, the result is void.
    /// </summary>
    internal bool IsVoid { get; private set; }

    /// <summary>Adds a thread.</summary>
    /// <param name="name">For reports.</param>
    /// <param name="body">The code that it runs.</param>
    /// <param name="prepare">
    /// The code that it runs first, undisturbed by other threads. Threads prepare in the order in which they were
    /// added.
    /// </param>
    /// <param name="kind">
    /// Threads of one kind run the same code, each with its own equal objects, and the checks do not distinguish them.
    /// So until they start, they are interchangeable.
    /// </param>
    internal void Run(string name, Action body, Action? prepare = null, string? kind = null) =>
        Add(name, isDaemon: false, body, prepare).Kind = kind;

    /// <summary>Adds a thread. The interleaving may end while this thread waits.</summary>
    internal LogicalThread Daemon(string name, Action body, Action? prepare = null) =>
        Add(name, isDaemon: true, body, prepare);

    /// <summary>Adds threads of the pool, which run the queued items.</summary>
    internal void PoolThreads(int count)
    {
        for (var i = 1; i <= count; i++)
        {
            // A pool thread does nothing before an item is queued. Until then the pool threads are interchangeable.
            var thread = Daemon($"pool {i}", Pool.Run);
            thread.WaitsFor = () => Pool.Count > 0;
            thread.Kind = "pool";
        }
    }

    /// <summary>
    /// Adds a check that runs, undisturbed, when all threads have ended. It runs on no thread of the scenario.
    /// </summary>
    internal void Check(Action check) => _checks.Add(check);

    /// <summary>Fails the interleaving unless a condition holds.</summary>
    internal static void Require(bool condition, string message)
    {
        if (!condition)
        {
            throw Failed(message);
        }
    }

    /// <summary>The same, with a text that is created only if it is needed.</summary>
    internal static void Require(
        bool condition, [InterpolatedStringHandlerArgument(nameof(condition))] FailureText message)
    {
        if (!condition)
        {
            throw Failed(message.ToString());
        }
    }

    // The failure is noted at once, because the core catches the exceptions of callbacks, continuations and
    // registrations, and of the code that they call.
    private static ScenarioFailedException Failed(string message)
    {
        if (LogicalThread.Current is { Run.IsEnding: false } me)
        {
            me.Run.NoteFailure(message);
        }

        return new ScenarioFailedException(message);
    }

    /// <summary>Whether all threads of a name have ended.</summary>
    internal bool HasEnded(string name) => _threads.TrueForAll(thread => thread.Name != name || thread.IsFinished);

    /// <summary>A point that the scenario itself sets.</summary>
    internal static void Point(string label = "point")
    {
        if (LogicalThread.Current is { } me)
        {
            me.Run.Pause(me, new Site(OperationKind.Point, label, "", 0));
        }
    }

    /// <summary>
    /// Waits until a condition holds. The scheduler knows of the wait. The condition must not use shadowed operations
    /// that wait.
    /// </summary>
    internal void WaitUntil(Func<bool> condition, string label = "wait")
    {
        var me = LogicalThread.Current!;
        var site = new Site(OperationKind.Wait, label, "", 0);
        Func<bool> holds = () => Undisturbed(condition);
        BeginWait(me, site, holds);
        Block(me, holds, site);
        Note(me, site, "done");
        Pause(me, site);
    }

    /// <summary>Cancels a source. Its registrations run on this thread, and other threads may see them run.</summary>
    internal static void Cancel(CancellationTokenSource source)
    {
        Point("Cancel");
        source.Cancel();
        Point("Cancelled");
    }

    /// <summary>Adds a thread that the core starts.</summary>
    internal LogicalThread Add(string name, bool isDaemon, Action body, Thread shadow) =>
        Add(new LogicalThread(this, name, _threads.Count, isDaemon, prepare: null, body, shadow));

    private LogicalThread Add(string name, bool isDaemon, Action body, Action? prepare) =>
        Add(new LogicalThread(this, name, _threads.Count, isDaemon, prepare, body, shadow: null));

    private LogicalThread Add(LogicalThread thread)
    {
        _threads.Add(thread);
        thread.Worker.Assign(thread);
        return thread;
    }

    /// <summary>Runs the scenario once, on the calling thread's behalf.</summary>
    internal void Execute()
    {
        Active = this;
        try
        {
            Shared?.Begin();
            _scenario.Arrange(this);
            _isPreparing = true;
            for (var i = 0; i < _threads.Count && Failure is null; i++)
            {
                if (_threads[i].Prepare is not null)
                {
                    Resume(_threads[i]);
                }
            }

            _isPreparing = false;
            if (Failure is null && Next(null) is { } first)
            {
                Resume(first);
            }

            EndThreads();
            if (Failure is null && !IsRedundant)
            {
                RunChecks();
            }

            IsVoid = GC.CollectionCount(0) != _garbageCollections;
            if (!IsVoid)
            {
                Shared?.End();
            }
        }
        finally
        {
            Active = null;
        }
    }

    internal void NoteFailure(string message) => Failure ??= message;

    /// <summary>Called by a thread that has prepared: waits until it is to run.</summary>
    /// <returns>False if the interleaving has ended without it.</returns>
    internal bool PassBack(LogicalThread me)
    {
        _explorer.Give();
        me.Worker.Baton.Take();
        return !_isEnding;
    }

    /// <summary>Called by a thread that has finished.</summary>
    internal void Leave(LogicalThread me)
    {
        CountWrite(me);
        if (!_isEnding && !_isPreparing && Failure is null)
        {
            EmptyBuffer(me);
            if (Next(me) is { } next)
            {
                Give(next);
                return;
            }
        }

        _explorer.Give();
    }

    private void Resume(LogicalThread thread)
    {
        Give(thread);
        var steps = -1;
        while (!_explorer.Take((int)Watchdog.TotalMilliseconds))
        {
            if (steps == _steps)
            {
                // The thread cannot be stopped. It and the threads that wait for it are abandoned.
                _isEnding = true;
                Worker.AbandonAll();
                throw new InvalidOperationException(
                    $"{_running!.Name} blocks its real thread after {_running.LastSite.Kind} "
                    + $"{_running.LastSite.Variable} at {_running.LastSite}: it waits for something that the engine "
                    + $"knows nothing of. Schedule: {Schedule}");
            }

            steps = _steps;
        }
    }

    private void EndThreads()
    {
        _isEnding = true;
        for (var i = 0; i < _threads.Count; i++)
        {
            if (_threads[i] is { IsStarted: true, IsFinished: false })
            {
                Resume(_threads[i]);
            }
        }
    }

    private void RunChecks()
    {
        try
        {
            foreach (var check in _checks)
            {
                check();
            }
        }
        catch (Exception exception)
        {
            NoteFailure(exception is ScenarioFailedException ? exception.Message : exception.ToString());
        }
    }

    // The condition is evaluated on the thread that decides.
    private static bool Undisturbed(Func<bool> condition)
    {
        if (LogicalThread.Current is not { } me)
        {
            return condition();
        }

        var was = me.IsUndisturbed;
        me.IsUndisturbed = true;
        try
        {
            return condition();
        }
        finally
        {
            me.IsUndisturbed = was;
        }
    }

    internal void ThrowIfEnding()
    {
        if (_isEnding)
        {
            throw new InterleavingEndedException();
        }
    }

    private string DescribeDeadlock() =>
        "All threads wait: "
            + string.Join("; ", _threads.Where(static thread => !thread.IsFinished).Select(static thread =>
            $"{thread.Name} at {thread.LastSite.Kind} {thread.LastSite.Variable} {thread.LastSite}"));
}
