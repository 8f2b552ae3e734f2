using System.Runtime.CompilerServices;

// The compiler knows this type by its full name, so `lock` calls EnterScope.
namespace System.Threading;

/// <summary>
/// Replaces the framework's lock. Its place in the sources is where it was created, because `lock` does not pass its
/// own.
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

    public bool IsHeldByCurrentThread => _owner == LogicalThread.Current;

    public Scope EnterScope()
    {
        Enter();
        return new Scope(this);
    }

    public void Enter()
    {
        var me = LogicalThread.Current;
        var site = NewSite(OperationKind.EnterLock);
        me.Begin(site, _identity, writes: true);
        if (me.IsMutated(site, MutantKind.NoLock))
        {
            me.EmptyBuffer();
            me.Intrusions++;
        }
        else
        {
            me.Block(() => _owner is null || _owner == me, site);
            _owner = me;
            _depth++;
        }

        me.Note(site);
        me.End(site);
    }

    public void Exit()
    {
        var me = LogicalThread.Current;
        var site = NewSite(OperationKind.ExitLock);
        me.Begin(site, _identity, writes: true);
        me.EmptyBuffer();
        if (_owner == me)
        {
            _owner = --_depth == 0 ? null : me;
        }
        else
        {
            Require(
                me.Intrusions > 0, $"The lock of {site} is not held by the thread that lets go of it.");
            me.Intrusions--;
        }

        me.Run.CountWrite(me);
        me.Note(site);
        me.End(site);
    }

    private Site NewSite(OperationKind kind) => new(kind, "lock", file, line);

    public readonly ref struct Scope(Lock entered)
    {
        public void Dispose() => entered.Exit();
    }
}
