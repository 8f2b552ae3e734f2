namespace ScalableTimers.Exploration.Engine;

/// <summary>A thread of one interleaving. It runs only while it has its baton.</summary>
internal sealed partial class LogicalThread
{
    [ThreadStatic]
    private static LogicalThread? s_current;

    private readonly Action? _body;
    private Action? _prepare;

    internal LogicalThread(
        Interleaving run, string name, int number, bool isDaemon, Action? prepare, Action body, Thread? shadow)
        : this(run, shadow)
    {
        var worker = Worker.Get(number);
        Name = name;
        Number = number;
        IsDaemon = isDaemon;
        Baton = worker.Baton;
        ManagedThreadId = worker.ManagedThreadId;
        _prepare = prepare;
        _body = body;
        worker.Assign(this);
    }

    /// <summary>
    /// The explorer's thread, which is the calling one. Other threads never see it half done.
    /// </summary>
    internal LogicalThread(Interleaving run)
        : this(run, shadow: null)
    {
        IsOutside = true;
        IsUndisturbed = true;
    }

    private LogicalThread(Interleaving run, Thread? shadow)
    {
        Run = run;
        Shadow = shadow ?? new Thread(this);
        Seen = run.Mutant is { Kind: MutantKind.StaleRead } ? [] : null;
    }

    internal static LogicalThread Current => s_current ?? Interleaving.Stranger();

    internal Interleaving Run { get; }

    internal string Name { get; } = "explorer";

    internal int Number { get; }

    /// <summary>Whether the interleaving may end while it waits.</summary>
    internal bool IsDaemon { get; }

    /// <summary>Whether it is the explorer's thread, which arranges and checks.</summary>
    internal bool IsOutside { get; }

    internal bool HasPreparation => _prepare is not null;

    internal Baton Baton { get; } = Worker.Explorer;

    internal int ManagedThreadId { get; } = Environment.CurrentManagedThreadId;

    /// <summary>The value of <see cref="Thread.CurrentThread"/> on this thread.</summary>
    internal Thread Shadow { get; }

    internal bool IsStarted { get; private set; }

    /// <summary>
    /// The kind of the thread. Until it starts, it is interchangeable with others of its kind. Null if with none.
    /// </summary>
    internal string? Kind { get; set; }

    internal bool IsFinished { get; private set; }

    /// <summary>The condition that it waits for; null if it can run.</summary>
    internal Func<bool>? WaitsFor { get; set; }

    /// <summary>The latest end of its wait, by the clock.</summary>
    internal long WaitsUntil { get; private set; } = long.MaxValue;

    /// <summary>Whether something has been written since it last spun.</summary>
    internal bool HasNews { get; set; }

    /// <summary>Whether it passes points without a decision.</summary>
    internal bool IsUndisturbed { get; private set; }

    internal bool IsTraced => Run.Trace is not null && !IsUndisturbed;

    /// <summary>For a mutant: the last value of each variable that the thread has seen.</summary>
    internal Dictionary<nint, object?>? Seen { get; }

    /// <summary>For a mutant: how many locks it believes it holds, none of which excludes a thread.</summary>
    internal int Intrusions { get; set; }

    internal Site LastSite { get; private set; }

    internal bool CanRun =>
        !IsFinished
            && (
                WaitsFor is null
                    || WaitsFor()
                    || WaitsUntil <= Run.Clock.Now
                    || Run.Buffers?.WouldHold(WaitsFor) == true);

    /// <summary>Makes this the logical thread of the calling thread.</summary>
    internal void Enter() => s_current = this;

    internal static void Leave() => s_current = null;

    /// <summary>
    /// Evaluates a condition without scheduling points. It must not use shadowed operations that wait.
    /// </summary>
    internal static bool Undisturbed(Func<bool> condition)
    {
        // The condition is evaluated on the thread that decides.
        var me = Current;
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

    /// <summary>Called on the worker: prepares or runs, and passes the baton on.</summary>
    internal void RunOnWorker()
    {
        Enter();
        IsStarted = true;
        var mayRun = true;
        try
        {
            if (_prepare is { } prepare)
            {
                _prepare = null;
                IsUndisturbed = true;
                prepare();
                IsUndisturbed = false;
                mayRun = Run.PassBack(this);
            }

            if (mayRun)
            {
                WaitsFor = null;
                _body!();
            }
        }
        catch (InterleavingEndedException)
        {
        }
#pragma warning disable CA1031 // Any exception is a finding of the exploration.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            // Code that catches everything may replace the exception that ends the interleaving with another.
            if (!Run.IsEnding)
            {
                Run.NoteFailure(exception.ToString());
            }
        }

        IsFinished = true;
        IsUndisturbed = true;
        Run.Leave(this);
    }
}
