using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.SpinWait"/>. A spinning thread waits until another thread has written
/// something.
/// </summary>
internal struct SpinWait
{
    internal readonly bool NextSpinWillYield => false;

    internal void SpinOnce(int sleep1Threshold = 0, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var site = new Site(OperationKind.Spin, "", file, line);
        var me = LogicalThread.Current;
        me.Begin(site);
        me.Block(() => me.HasNews, site);
        me.HasNews = false;
        me.Note(site);
        me.End(site);
    }
}
