namespace ScalableTimers;

/// <summary>Hides <see cref="System.Diagnostics.Debug"/>. A false assertion fails the interleaving.</summary>
internal static class Debug
{
    internal static void Assert(bool condition, string message = "An assertion does not hold.")
    {
        Require(condition, message);

        // Between two operations all code is one step, unless a lock fails to keep others out. So there is a point at
        // each assertion: under the framework's lock, on a thread that a mutant has let in; under a lock of the core's
        // own, on every thread.
        if (LogicalThread.Current is var me && (me.Intrusions > 0 || me.Run.Mutant is { TearsSections: true }))
        {
            var site = new Site(OperationKind.Point, "inside");
            me.Begin(site);
            me.End(site);
        }
    }
}
