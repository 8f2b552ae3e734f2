using RealThread = System.Threading.Thread;

namespace ScalableTimers.Exploration.Engine;

/// <summary>A real thread that runs logical threads one after another, each from another interleaving.</summary>
internal sealed class Worker
{
    private static readonly List<Worker> s_all = [];

    private readonly RealThread _thread;
    private LogicalThread? _job;

    private Worker()
    {
        _thread = new RealThread(Run, maxStackSize: 1 << 20) { IsBackground = true, Name = "exploration" };
        _thread.Start();
    }

    internal static Baton Explorer { get; private set; } = new();

    internal Baton Baton { get; } = new();

    internal int ManagedThreadId => _thread.ManagedThreadId;

    /// <summary>The worker for the logical thread with a given number. It is free between interleavings.</summary>
    internal static Worker Get(int number)
    {
        while (s_all.Count <= number)
        {
            s_all.Add(new Worker());
        }

        return s_all[number];
    }

    /// <summary>Called after a hang. The current workers are not used again.</summary>
    internal static void AbandonAll()
    {
        s_all.Clear();
        Explorer = new Baton();
    }

    /// <summary>Gives the worker a logical thread to run. It starts when it gets the baton.</summary>
    internal void Assign(LogicalThread job) => _job = job;

    private void Run()
    {
        while (true)
        {
            Baton.Take();
            var job = _job!;
            _job = null;
            ThreadStatics.Reset();
            job.RunOnWorker();
        }
    }
}
