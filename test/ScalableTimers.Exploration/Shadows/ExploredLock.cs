using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers;

/// <summary>A lock of the core, and the threads that a mutant has let in without it.</summary>
/// <remarks>
/// For such a thread the lock looks as if the thread held it, so that the core's assertions do not reveal the mutant.
/// The damage itself must show.
/// </remarks>
[Shadow]
internal sealed class ExploredLock
{
    private Queues.ReentrantInterlockedLock _core;
    private List<Intruder>? _intruders;

    internal bool IsHeldByCurrentThread => _core.IsHeldByCurrentThread || Find(LogicalThread.Current) is not null;

    internal void Enter(int id, in Site site)
    {
        if (LogicalThread.Current is { IsUndisturbed: false } me)
        {
            me.Run.Sites?.Add(site);
            if (Find(me) is { } intruder)
            {
                intruder.Depth++;
                return;
            }

            var isLate = me.Run.IsMutated(me, site, MutantKind.EnteredLate);
            if (isLate || me.Run.IsMutated(me, site, MutantKind.NotEntered))
            {
                Intrude(me, id, isLate, site);
                return;
            }
        }

        _core.Enter(id);
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
            Pass(intruder.Thread, new Site(OperationKind.Point, "left what it had not entered", "", 0));
        }
    }

    private void Intrude(LogicalThread me, int id, bool isLate, in Site site)
    {
        Pass(me, site);
        var intruder = new Intruder(me) { Depth = 1 };
        (_intruders ??= []).Add(intruder);
        if (isLate)
        {
            WaitToEnter(me, intruder, id, operations: 3);
        }
    }

    // The first operation is mostly the assertion that the lock is held, and so is the second where one method calls
    // another. A section without operations of its own ends with three assertions.
    private void WaitToEnter(LogicalThread me, Intruder intruder, int id, int operations) =>
        me.AfterOperation = operations == 1
            ? () => EnterLate(intruder, id)
            : () => WaitToEnter(me, intruder, id, operations - 1);

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

    private Intruder? Find(LogicalThread? thread) => _intruders?.Find(intruder => intruder.Thread == thread);

    private static void Pass(LogicalThread me, in Site site)
    {
        me.Run.Begin(me, site);
        me.Run.Note(me, site, "");
        me.Run.End(me, site);
    }

    private sealed class Intruder(LogicalThread thread)
    {
        internal LogicalThread Thread { get; } = thread;

        internal int Depth { get; set; }
    }
}
