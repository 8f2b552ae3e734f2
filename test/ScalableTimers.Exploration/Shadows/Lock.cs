using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

// The compiler knows this type by its full name, so `lock` calls EnterScope.
namespace System.Threading;

/// <summary>
/// Replaces the framework's lock. The place in the sources is the one where it was created, because `lock` does not
/// pass its own place.
/// </summary>
public sealed class Lock(
    [CallerFilePath] string file = "",
    [CallerLineNumber] int line = 0)
{
    private static nint s_made;

    // Addresses are positive.
    private readonly nint _identity = --s_made;
    private LogicalThread? _owner;
    private int _depth;
    private List<LogicalThread>? _intruders;

    public bool IsHeldByCurrentThread => LogicalThread.Current is { } me && _owner == me;

    public Scope EnterScope()
    {
        Enter();
        return new Scope(this);
    }

    public void Enter()
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return;
        }

        var site = NewSite(OperationKind.EnterLock);
        Touch(me, site);
        if (me.Run.IsMutated(me, site, MutantKind.NoLock))
        {
            me.Run.Begin(me, site);
            me.Run.EmptyBuffer(me);
            (_intruders ??= []).Add(me);
            me.Intrusions++;
        }
        else
        {
            Func<bool> isFree = () => _owner is null || _owner == me;
            me.Run.BeginWait(me, site, isFree);
            me.Run.Block(me, isFree, site);
            _owner = me;
            _depth++;
        }

        me.Run.Note(me, site, "");
        me.Run.End(me, site);
    }

    public void Exit()
    {
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return;
        }

        var site = NewSite(OperationKind.ExitLock);
        Touch(me, site);
        me.Run.Begin(me, site);
        me.Run.EmptyBuffer(me);
        if (_intruders?.Remove(me) == true)
        {
            me.Intrusions--;
        }
        else
        {
            Interleaving.Require(_owner == me, $"The lock of {site} is not held by the thread that lets go of it.");
            _owner = --_depth == 0 ? null : me;
        }

        me.Run.CountWrite(me);
        me.Run.Note(me, site, "");
        me.Run.End(me, site);
    }

    private void Touch(LogicalThread me, in Site site)
    {
        if (!me.IsUndisturbed)
        {
            me.Touch(_identity, writes: true, site);
        }
    }

    private Site NewSite(OperationKind kind) => new(kind, "lock", file, line);

    public readonly ref struct Scope(Lock entered)
    {
        public void Dispose() => entered.Exit();
    }
}
