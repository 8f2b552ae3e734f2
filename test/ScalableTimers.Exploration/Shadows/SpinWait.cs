using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.SpinWait"/>: a thread that spins waits until another has written something that it
/// looks at.
/// </summary>
[Shadow]
internal struct SpinWait
{
    internal int Count { get; private set; }

    internal void SpinOnce(int sleep1Threshold = 0, [CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        Count++;
        var site = new Site(OperationKind.Spin, "", file, line);
        if (LogicalThread.Current is not { } me)
        {
            throw new InvalidOperationException($"Nobody can end this spinning: {site}.");
        }

        var run = me.Run;
        Func<bool> hasNews = () => me.HasNews;
        run.BeginWait(me, site, hasNews);
        run.Block(me, hasNews, site);
        me.HasNews = false;
        run.Note(me, site, "");
        run.EndWait(me, site);
    }
}
