using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>Hides <see cref="System.Diagnostics.Debug"/>. A false assertion fails the interleaving.</summary>
[Shadow]
internal static class Debug
{
    internal static void Assert(bool condition, string message = "An assertion does not hold.")
    {
        Interleaving.Require(condition, message);

        // Between two operations all code is one step. Under a lock that a mutant has broken that must not be so, so
        // there is a point at each assertion.
        if (LogicalThread.Current is { IsUndisturbed: false, Run.Mutant.TearsSections: true } me)
        {
            var site = new Site(OperationKind.Point, "inside", "", 0);
            me.Run.Begin(me, site);
            me.Run.End(me, site);
        }
    }
}
