using System.Runtime.CompilerServices;

namespace ScalableTimers.Exploration.Engine;

// The points where its operations begin, end and wait.
internal sealed partial class LogicalThread
{
    private readonly List<Later> _later = [];

    // Whether another thread could notice its current operation.
    private bool _isSeen = true;

    internal void Begin(in Site site)
    {
        _isSeen = true;
        BeginNoticed(site);
    }

    /// <summary>Called where an operation begins that touches nothing but one variable or lock.</summary>
    internal void Begin(in Site site, nint address, bool writes)
    {
        if (IsUndisturbed)
        {
            return;
        }

        var isSeen = Run.Shared is not { } shared || shared.Touch(Number, address, writes, site);

        // A store goes to the buffer, where no other thread sees it before the point that follows.
        _isSeen = isSeen
            && (Run.Shared is null || site.Kind != OperationKind.Write || Run.Buffers is not { BuffersAll: true });
        BeginNoticed(site);
        _isSeen = isSeen;
    }

    private void BeginNoticed(in Site site)
    {
        if (!IsUndisturbed)
        {
            Run.Sites?.Add(site);
            Pause(site);
        }
    }

    internal void End(in Site site)
    {
        if (!IsUndisturbed)
        {
            Pause(site);
            RunLater();
        }
    }

    internal void Pause(in Site site)
    {
        if (IsUndisturbed)
        {
            return;
        }

        LastSite = site;
        Run.ThrowIfEnding();
        Run.CountStep(this);

        // To other threads, an operation on a variable that only this thread touches is like plain code, which is
        // atomic between two points.
        if (_isSeen)
        {
            Run.Switch(this);
            Run.ThrowIfEnding();
        }
        else
        {
            Run.PassDecision();
        }
    }

    /// <summary>Waits until a condition holds or the clock shows a time.</summary>
    internal void Block(Func<bool> condition, in Site site, long until = long.MaxValue)
    {
        if (!TryBlock(condition, site, until))
        {
            Run.ThrowIfEnding();
        }
    }

    /// <summary>The same for a thread that can end while it waits.</summary>
    /// <returns>False if the interleaving is over.</returns>
    internal bool TryBlock(Func<bool> condition, in Site site, long until = long.MaxValue)
    {
        EmptyBuffer();
        while (!condition() && Run.Clock.Now < until)
        {
            if (IsUndisturbed)
            {
                throw new InvalidOperationException($"A preparation or a check would wait at {site} {site.Variable}.");
            }

            Note(site, "waits");
            WaitsFor = condition;
            WaitsUntil = until;
            Run.Switch(this);
            WaitsFor = null;
            WaitsUntil = long.MaxValue;
            if (Run.IsEnding)
            {
                return false;
            }

            // The store that it waits for may still be in a buffer. When the thread continues, it has seen that store.
            if (Run.Buffers is { } buffers && !condition() && Run.Clock.Now < until)
            {
                buffers.DrainAll();
            }
        }

        return true;
    }

    /// <summary>Makes its buffered stores visible to all.</summary>
    internal void EmptyBuffer() => Run.Buffers?.DrainAll(this);

    /// <summary>For a mutant: runs an action after this many more of its operations.</summary>
    internal void After(int operations, Action action) => _later.Add(new Later(action) { Operations = operations });

    /// <summary>Whether the mutant breaks the operation in that way.</summary>
    internal bool IsMutated(in Site site, MutantKind kind)
    {
        if (IsUndisturbed || Run.Mutant is not { } mutant || mutant.Kind != kind || !mutant.IsAt(site))
        {
            return false;
        }

        Run.Trace?.Add($"---------- mutant: {kind}");
        return true;
    }

    internal void Note(in Site site, [InterpolatedStringHandlerArgument("")] LazyText result)
    {
        if (IsTraced)
        {
            Note(site, result.ToString());
        }
    }

    internal void Note(in Site site, string result = "")
    {
        if (IsTraced)
        {
            Run.Trace!.Add($"{Name,-10} {site.Kind,-16} {site.Variable,-28} {result,-44} {site}");
        }
    }

    private void RunLater()
    {
        if (_later.Count > 0)
        {
            // An action may itself be an operation.
            var due = _later.FindAll(static later => --later.Operations == 0);
            _later.RemoveAll(static later => later.Operations == 0);
            due.ForEach(static later => later.Action());
        }
    }

    private sealed class Later(Action action)
    {
        internal Action Action { get; } = action;

        internal int Operations { get; set; }
    }
}
