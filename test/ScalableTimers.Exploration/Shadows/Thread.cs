using System.Runtime.CompilerServices;
using ScalableTimers.Exploration.Engine;
using RealThread = System.Threading.Thread;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.Thread"/>: a logical thread, or the real one that calls from outside.
/// </summary>
[Shadow]
internal sealed class Thread
{
    [ThreadStatic]
    private static Thread? s_outside;

    private readonly Action? _run;
    private readonly RealThread? _real;
    private LogicalThread? _thread;

    internal Thread(ThreadStart run) => _run = () => run();

    internal Thread(LogicalThread thread) => _thread = thread;

    private Thread(RealThread real) => _real = real;

    internal static Thread CurrentThread =>
        LogicalThread.Current?.Shadow ?? (s_outside ??= new Thread(RealThread.CurrentThread));

    internal bool IsBackground { get; set; }

    internal ThreadPriority Priority { get; set; } = ThreadPriority.Normal;

    internal string? Name { get; init; }

    internal int ManagedThreadId => _thread?.Worker.ManagedThreadId ?? _real!.ManagedThreadId;

    internal bool IsAlive => _thread is { IsFinished: false } || _real is { IsAlive: true };

    internal static int GetCurrentProcessorId() => LogicalThread.Current?.Number ?? 0;

    internal void UnsafeStart([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var site = new Site(OperationKind.StartThread, Name ?? "", file, line);
        var me = LogicalThread.Current;
        var run = me?.Run ?? Interleaving.Active!;
        if (me is not null)
        {
            run.Begin(me, site);
            run.EmptyBuffer(me);
        }

        var name = Name is { } full ? full[(full.LastIndexOf(' ') + 1)..] : "thread";
        _thread = run.Add(name, IsBackground, _run!, this);
        if (me is not null)
        {
            run.Note(me, site, "");
            run.End(me, site);
        }
    }
}
