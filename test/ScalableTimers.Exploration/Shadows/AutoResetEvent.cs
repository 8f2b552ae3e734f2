using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Exploration.Mutants;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.AutoResetEvent"/>. Time-outs use the interleaving's clock.
/// </summary>
[Shadow]
internal sealed class AutoResetEvent(
    bool initialState, [CallerFilePath] string madeIn = "", [CallerLineNumber] int madeAt = 0)
    : IDisposable
{
    private static readonly System.Collections.Concurrent.ConcurrentDictionary<(string, int), string> s_names = new();

    private readonly string _name = s_names.GetOrAdd(
        (madeIn, madeAt), static made => $"event of {Path.GetFileName(made.Item1)}:{made.Item2}");
    private bool _isSet = initialState;

    internal bool Set([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var site = new Site(OperationKind.Set, _name, file, line);
        if (LogicalThread.Current is not { } me)
        {
            Interleaving.CheckOutside();
            return _isSet = true;
        }

        me.Run.Begin(me, site);
        me.Run.EmptyBuffer(me);
        _isSet |= !me.Run.IsMutated(me, site, MutantKind.NoSet);
        me.Run.CountWrite(me);
        me.Run.Note(me, site, "");
        me.Run.End(me, site);
        return true;
    }

    internal bool WaitOne([CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Wait(long.MaxValue, file, line);

    internal bool WaitOne(TimeSpan timeout, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Wait(timeout < TimeSpan.Zero ? long.MaxValue : timeout.Ticks, file, line);

    internal bool WaitOne(int milliseconds, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0) =>
        Wait(milliseconds < 0 ? long.MaxValue : milliseconds * TimeSpan.TicksPerMillisecond, file, line);

    public void Dispose()
    {
    }

    private bool Wait(long duration, string file, int line)
    {
        var site = new Site(OperationKind.Wait, _name, file, line);
        var me = LogicalThread.Current ?? throw new InvalidOperationException(
            $"Waiting outside of a logical thread: {site}.");
        Func<bool> isSet = () => _isSet;
        if (duration == long.MaxValue)
        {
            me.Run.BeginWait(me, site, isSet);
        }
        else
        {
            me.Run.Begin(me, site);
        }

        var until = duration == long.MaxValue ? duration : me.Run.Clock.Now + duration;
        me.Run.Block(me, isSet, site, until);
        var wasSet = _isSet;
        _isSet = false;
        me.Run.Note(me, site, wasSet ? "woken" : "timed out");
        me.Run.End(me, site);
        return wasSet;
    }
}
