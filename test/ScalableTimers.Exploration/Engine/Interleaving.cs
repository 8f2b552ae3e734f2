using System.Runtime.CompilerServices;

namespace ScalableTimers.Exploration.Engine;

/// <summary>
/// One execution of a scenario: one thread runs at a time, and at each point a <see cref="Strategy"/> decides which.
/// </summary>
/// <remarks>
/// The thread that reaches a point decides and hands its baton to the next thread, so a decision to continue costs no
/// thread switch. When no thread can run, the explorer gets the baton back.
/// </remarks>
internal sealed partial class Interleaving
{
    private static Interleaving? s_active;

    private readonly Explorer _explorer;
    private readonly Strategy _strategy;
    private readonly LogicalThread _outside;
    private readonly List<LogicalThread> _threads = [];
    private readonly List<Action> _checks = [];
    private readonly int _garbageCollections = GC.CollectionCount(0);
    private bool _isPreparing;
    private volatile bool _isEnding;

    internal Interleaving(Explorer explorer, Strategy strategy, SharedSites? shared, List<string>? trace)
    {
        _explorer = explorer;
        _strategy = strategy;
        Clock = new ExplorerClock(this);
        Pool = new PoolQueue(this);
        Shared = shared;
        Trace = trace;
        Buffers = explorer.Model == MemoryModel.StoreBuffers || Mutant is { NeedsBuffers: true }
            ? new StoreBuffers(this, explorer.Model)
            : null;
        _outside = new LogicalThread(this);
    }

    /// <summary>
    /// How long all threads may stay between two points. Only blocking that the engine cannot see takes longer.
    /// </summary>
    internal static TimeSpan Watchdog { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The clock that the core gets as <see cref="TimeProvider.System"/>. Waits with a time-out use it too.
    /// </summary>
    internal ExplorerClock Clock { get; }

    internal PoolQueue Pool { get; }

    internal Mutant? Mutant => _explorer.Mutant;

    internal StoreBuffers? Buffers { get; }

    /// <summary>The operations that other threads can notice; null if there is a decision at each operation.</summary>
    internal SharedSites? Shared { get; }

    internal List<string>? Trace { get; }

    internal HashSet<Site>? Sites => _explorer.Sites;

    internal bool IsEnding => _isEnding;

    internal string? Failure { get; private set; }

    /// <summary>
    /// Whether the result is void, because the garbage collector moved variables, which are identified by address.
    /// </summary>
    internal bool IsVoid { get; private set; }

    /// <summary>Whether it has shown that threads share more than was known.</summary>
    internal bool HasLearned { get; private set; }

    // The preparations run undisturbed by other threads, in the order in which these were added. Threads of one kind
    // run the same code, each with its own equal objects, and the checks do not tell them apart: until they start, they
    // are interchangeable.
    internal void Run(string name, Action body, Action? prepare = null, string? kind = null) =>
        Add(name, isDaemon: false, body, prepare).Kind = kind;

    /// <summary>Adds threads of the pool, which run the queued items.</summary>
    internal void PoolThreads(int count)
    {
        for (var i = 1; i <= count; i++)
        {
            // A pool thread does nothing before an item is queued. Until then the pool threads are interchangeable.
            var thread = Add($"pool {i}", isDaemon: true, Pool.Run);
            thread.WaitsFor = () => Pool.Count > 0;
            thread.Kind = "pool";
        }
    }

    /// <summary>Adds a thread. The interleaving may end while a daemon waits.</summary>
    internal LogicalThread Add(
        string name, bool isDaemon, Action body, Action? prepare = null, Thread? shadow = null)
    {
        var thread = new LogicalThread(this, name, _threads.Count, isDaemon, prepare, body, shadow);
        _threads.Add(thread);
        return thread;
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
        bool condition, [InterpolatedStringHandlerArgument(nameof(condition))] LazyText message)
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
        var run = LogicalThread.Current.Run;
        if (!run.IsEnding)
        {
            run.NoteFailure(message);
        }

        return new ScenarioFailedException(message);
    }

    /// <summary>Whether all threads with a given name have ended.</summary>
    internal bool HasEnded(string name) => _threads.TrueForAll(thread => thread.Name != name || thread.IsFinished);

    /// <summary>A point that the scenario itself sets.</summary>
    internal static void Point(string label = "point") =>
        LogicalThread.Current.Begin(new Site(OperationKind.Point, label));

    /// <summary>
    /// Waits until a condition holds. The scheduler knows about the wait. The condition must not use shadowed
    /// operations that wait.
    /// </summary>
    internal void WaitUntil(Func<bool> condition, string label = "wait")
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Wait, label);
        me.Begin(site);
        me.Block(() => LogicalThread.Undisturbed(condition), site);
        me.Note(site, "done");
        me.End(site);
    }

    /// <summary>Cancels a source. Its registrations run on this thread, and other threads may see them run.</summary>
    internal static void Cancel(CancellationTokenSource source)
    {
        Point("Cancel");
        source.Cancel();
        Point("Cancelled");
    }

    /// <summary>Called when a thread that the engine does not know uses shadowed operations.</summary>
    internal static LogicalThread Stranger()
    {
        var run = s_active ?? throw new InvalidOperationException("Shadowed operations outside of an interleaving.");
        run.NoteFailure(
            "A thread that the engine knows nothing of uses shadowed operations: " + Environment.StackTrace);
        return run._outside;
    }

    internal void Execute()
    {
        s_active = this;
        _outside.Enter();
        try
        {
            Shared?.Begin();
            _explorer.Scenario.Arrange(this);
            Prepare();
            if (Failure is null)
            {
                Resume(Next(_outside));
            }

            EndThreads();
            if (Failure is null)
            {
                RunChecks();
            }

            IsVoid = GC.CollectionCount(0) != _garbageCollections;
            HasLearned = !IsVoid && Shared?.Learn() == true;
        }
        finally
        {
            LogicalThread.Leave();
            s_active = null;
        }
    }

    internal void NoteFailure(string message) => Failure ??= message;

    internal void ThrowIfEnding()
    {
        if (_isEnding)
        {
            throw new InterleavingEndedException();
        }
    }

    /// <summary>Called by a thread that has prepared: waits for its turn to run.</summary>
    /// <returns>False if the interleaving has ended without it.</returns>
    internal bool PassBack(LogicalThread me)
    {
        Give(_outside);
        me.Baton.Take();
        return !_isEnding;
    }

    /// <summary>Called by a thread that has finished.</summary>
    internal void Leave(LogicalThread me)
    {
        CountWrite(me);
        if (_isEnding || _isPreparing)
        {
            Give(_outside);
        }
        else
        {
            me.EmptyBuffer();
            Give(Next(me));
        }
    }

    private void Prepare()
    {
        _isPreparing = true;
        for (var i = 0; i < _threads.Count && Failure is null; i++)
        {
            if (_threads[i].HasPreparation)
            {
                Resume(_threads[i]);
            }
        }

        _isPreparing = false;
    }

    // Gives a thread the baton, and waits until the explorer has it again.
    private void Resume(LogicalThread thread)
    {
        Give(thread);
        var steps = -1;
        while (!_outside.Baton.Take((int)Watchdog.TotalMilliseconds))
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
            _checks.ForEach(static check => check());
        }
        catch (Exception exception)
        {
            NoteFailure(exception.ToString());
        }
    }
}
