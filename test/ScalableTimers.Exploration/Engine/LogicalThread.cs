namespace ScalableTimers.Exploration.Engine;

/// <summary>A thread of one interleaving. It runs only while it has its worker's baton.</summary>
internal sealed class LogicalThread
{
    [ThreadStatic]
    private static LogicalThread? s_current;

    private const int LoopedOver = 4;

    private readonly Action _body;

    // The variables that it has touched last. A spinning loop reads no more variables than these.
    private readonly nint[] _recent = new nint[LoopedOver];
    private int _touched;

    internal LogicalThread(
        Interleaving run, string name, int number, bool isDaemon, Action? prepare, Action body, Thread? shadow)
    {
        Run = run;
        Name = name;
        Number = number;
        IsDaemon = isDaemon;
        Prepare = prepare;
        _body = body;
        Worker = Worker.Get(number);
        Shadow = shadow ?? new Thread(this);
    }

    /// <summary>The logical thread that calls; null outside of any.</summary>
    internal static LogicalThread? Current => s_current;

    internal Interleaving Run { get; }

    internal string Name { get; }

    internal int Number { get; }

    /// <summary>Whether the interleaving may end while it waits.</summary>
    internal bool IsDaemon { get; }

    internal Action? Prepare { get; set; }

    internal Worker Worker { get; }

    /// <summary>The value of <see cref="Thread.CurrentThread"/> on this thread.</summary>
    internal Thread Shadow { get; }

    internal bool IsStarted { get; private set; }

    /// <summary>
    /// The kind of the thread. Until it has started, another thread of its kind could replace it. Null if none could.
    /// </summary>
    internal string? Kind { get; set; }

    internal bool IsFinished { get; private set; }

    /// <summary>The condition that it waits for; null if it can run.</summary>
    internal Func<bool>? WaitsFor { get; set; }

    /// <summary>The condition that its next operation waits for; null if that operation does not wait.</summary>
    internal Func<bool>? WouldWaitFor { get; set; }

    internal bool WouldOnlyWait =>
        WouldWaitFor is { } condition && !condition() && Run.Buffers?.WouldHold(condition) != true;

    /// <summary>The latest end of its wait, by the clock.</summary>
    internal long WaitsUntil { get; set; } = long.MaxValue;

    /// <summary>Whether other threads may have written a variable that it has read since it last spun.</summary>
    internal bool HasNews { get; set; }

    /// <summary>Points are passed without a decision.</summary>
    internal bool IsUndisturbed { get; set; }

    /// <summary>
    /// The variable or lock of its present or next operation; 0 if the engine does not know.
    /// </summary>
    internal nint Touches { get; set; }

    internal bool TouchWrites { get; set; }

    /// <summary>Whether others touch it too, as far as is known.</summary>
    internal bool TouchesShared { get; private set; }

    /// <summary>Whether the engine has learned that in the last round.</summary>
    internal bool TouchesNew { get; private set; }

    /// <summary>Whether it need not continue now, because that would be the same as having continued earlier.</summary>
    internal bool IsRedundant { get; set; }

    /// <summary>For a mutant: how many locks it believes to hold, each of which keeps nobody out.</summary>
    internal int Intrusions { get; set; }

    /// <summary>For a mutant: what it does once its next operation is over.</summary>
    internal Action? AfterOperation { get; set; }

    internal Site LastSite { get; set; }

    internal bool CanRun =>
        !IsFinished
            && (
                WaitsFor is null
                    || WaitsFor()
                    || WaitsUntil <= Run.Clock.Now
                    || Run.Buffers?.WouldHold(WaitsFor) == true);

    internal bool HasTouchedLately(nint address) => Array.IndexOf(_recent, address) >= 0;

    /// <summary>Called before an operation on a variable or a lock.</summary>
    internal void Touch(nint address, bool writes, in Site site)
    {
        Touches = address;
        TouchWrites = writes;
        _recent[_touched++ % LoopedOver] = address;
        (TouchesShared, TouchesNew) = Run.Shared?.Touch(Number, address, writes, site) ?? default;
    }

    /// <summary>Called on the worker: prepares or runs, and passes the baton on.</summary>
    internal void RunOnWorker()
    {
        s_current = this;
        IsStarted = true;
        var mayRun = true;
        try
        {
            if (Prepare is { } prepare)
            {
                Prepare = null;
                IsUndisturbed = true;
                prepare();
                IsUndisturbed = false;
                mayRun = Run.PassBack(this);
            }

            if (mayRun)
            {
                WaitsFor = null;
                _body();
            }
        }
        catch (InterleavingEndedException)
        {
        }
#pragma warning disable CA1031 // Whatever it throws is what the exploration has found.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            // Code that catches everything may replace the exception that ends the interleaving by another one.
            if (!Run.IsEnding)
            {
                Run.NoteFailure(exception is ScenarioFailedException ? exception.Message : exception.ToString());
            }
        }

        IsFinished = true;
        IsUndisturbed = true;
        Run.Leave(this);
    }
}
