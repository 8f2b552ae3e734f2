using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.AutoResetEvent"/>. Time-outs use the interleaving's clock.
/// </summary>
internal sealed class AutoResetEvent(bool initialState) : IDisposable
{
    private bool _isSet = initialState;

    internal bool Set([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Set, "event", file, line);
        me.Begin(site);
        me.EmptyBuffer();
        _isSet |= !me.IsMutated(site, MutantKind.NoSet);
        me.Run.CountWrite(me);
        me.Note(site);
        me.End(site);
        return true;
    }

    internal bool WaitOne(int milliseconds, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        WaitOne(TimeSpan.FromMilliseconds(milliseconds), file, line);

    internal bool WaitOne(TimeSpan timeout, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var me = LogicalThread.Current;
        var site = new Site(OperationKind.Wait, "event", file, line);
        me.Begin(site);
        me.Block(() => _isSet, site, timeout < TimeSpan.Zero ? long.MaxValue : me.Run.Clock.Now + timeout.Ticks);
        var wasSet = _isSet;
        _isSet = false;
        me.Note(site, wasSet ? "woken" : "timed out");
        me.End(site);
        return wasSet;
    }

    public void Dispose()
    {
    }
}
