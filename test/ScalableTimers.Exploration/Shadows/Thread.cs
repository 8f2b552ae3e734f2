using System.Runtime.CompilerServices;

namespace ScalableTimers;

/// <summary>
/// Hides <see cref="System.Threading.Thread"/>: a logical thread.
/// </summary>
internal sealed class Thread
{
    private readonly Action? _run;
    private LogicalThread? _thread;

    internal Thread(ThreadStart run) => _run = () => run();

    internal Thread(LogicalThread thread) => _thread = thread;

    internal static Thread CurrentThread => LogicalThread.Current.Shadow;

    internal bool IsBackground { get; set; }

    internal string? Name { get; init; }

    internal int ManagedThreadId => _thread!.ManagedThreadId;

    internal bool IsAlive => _thread is { IsFinished: false };

    internal static bool Yield() => throw new InvalidOperationException("A stand-in for SpinWait never yields.");

    internal static int GetCurrentProcessorId() => LogicalThread.Current.Number;

    internal void UnsafeStart([CallerFilePath] string file = "", [CallerLineNumber] int line = 0)
    {
        var site = new Site(OperationKind.StartThread, Name ?? "", file, line);
        var me = LogicalThread.Current;
        me.Begin(site);
        me.EmptyBuffer();

        var name = Name is { } full ? full[(full.LastIndexOf(' ') + 1)..] : "thread";
        _thread = me.Run.Add(name, IsBackground, _run!, shadow: this);
        me.Note(site);
        me.End(site);
    }
}
