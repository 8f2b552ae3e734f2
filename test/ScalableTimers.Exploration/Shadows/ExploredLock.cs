namespace ScalableTimers;

/// <summary>A lock of the core, and the threads that a mutant has let in without it.</summary>
/// <remarks>
/// To such a thread the lock looks held, so that the core's assertions do not reveal the mutant. The damage itself must
/// show.
/// </remarks>
internal sealed class ExploredLock
{
    private Queues.ReentrantInterlockedLock _core;
    private List<Intruder>? _intruders;

    internal bool IsHeldByCurrentThread => _core.IsHeldByCurrentThread || Find(LogicalThread.Current) is not null;

    internal void Enter(int id, in Site site)
    {
        var me = LogicalThread.Current;
        if (!me.IsUndisturbed)
        {
            me.Run.Sites?.Add(site);
        }

        if (Find(me) is { } intruder)
        {
            intruder.Depth++;
        }
        else if (me.IsMutated(site, MutantKind.NotEntered))
        {
            Intrude(me, site);
        }
        else if (me.IsMutated(site, MutantKind.EnteredLate))
        {
            // The first operation is usually the assertion that the lock is held, and so is the second where one method
            // calls another. A section without operations of its own ends with three assertions.
            var late = Intrude(me, site);
            me.After(operations: 3, () => EnterLate(late, id));
        }
        else
        {
            _core.Enter(id);
        }
    }

    internal void Exit(int id)
    {
        if (Find(LogicalThread.Current) is not { } intruder)
        {
            _core.Exit(id);
        }
        else if (--intruder.Depth == 0)
        {
            _intruders!.Remove(intruder);
            Pass(intruder.Thread, new Site(OperationKind.Point, "left what it had not entered"));
        }
    }

    private Intruder Intrude(LogicalThread me, in Site site)
    {
        Pass(me, site);
        var intruder = new Intruder(me) { Depth = 1 };
        (_intruders ??= []).Add(intruder);
        return intruder;
    }

    private void EnterLate(Intruder intruder, int id)
    {
        // It may have left already.
        if (_intruders!.Remove(intruder))
        {
            for (var i = 0; i < intruder.Depth; i++)
            {
                _core.Enter(id);
            }
        }
    }

    private Intruder? Find(LogicalThread thread) => _intruders?.Find(intruder => intruder.Thread == thread);

    private static void Pass(LogicalThread me, in Site site)
    {
        me.Begin(site);
        me.Note(site);
        me.End(site);
    }

    private sealed class Intruder(LogicalThread thread)
    {
        internal LogicalThread Thread { get; } = thread;

        internal int Depth { get; set; }
    }
}
