using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.SpinWait"/>. A spinning thread waits until another thread has written a variable
/// that it reads.
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
