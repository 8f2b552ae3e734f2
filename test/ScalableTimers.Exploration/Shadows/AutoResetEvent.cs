using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.AutoResetEvent"/>. Time-outs use the interleaving's clock.
/// </summary>
internal sealed class AutoResetEvent(bool initialState)
{
    private bool _isSet = initialState;

    internal void Set([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Set, "event", file, line);
        me.Begin(site);
        me.EmptyBuffer();
        _isSet |= !me.IsMutated(site, MutantKind.NoSet);
        me.Run.CountWrite(me);
        me.Note(site);
        me.End(site);
    }

    internal bool WaitOne(int milliseconds, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Wait, "event", file, line);
        me.Begin(site);
        var until = me.Run.Clock.Now + (milliseconds * TimeSpan.TicksPerMillisecond);
        me.Block(() => _isSet, site, milliseconds < 0 ? long.MaxValue : until);
        var wasSet = _isSet;
        _isSet = false;
        me.Note(site, wasSet ? "woken" : "timed out");
        me.End(site);
        return wasSet;
    }
}
