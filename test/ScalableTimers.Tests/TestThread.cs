using System.Runtime.ExceptionServices;

namespace ScalableTimers.Tests;

/// <summary>A thread whose exception fails the test instead of ending the process.</summary>
internal sealed class TestThread
{
    private readonly Thread _thread;
    private ExceptionDispatchInfo? _failure;

    public TestThread(Action body, int maxStackSize = 0)
    {
        void Run()
        {
            try
            {
                body();
            }
            catch (Exception exception)
            {
                _failure = ExceptionDispatchInfo.Capture(exception);
            }
        }

        _thread = new Thread(Run, maxStackSize) { IsBackground = true };
    }

    internal bool IsAlive => _thread.IsAlive;

    /// <summary>Whether it waits for another thread, as far as the runtime can tell.</summary>
    internal bool IsWaiting => _thread.ThreadState.HasFlag(ThreadState.WaitSleepJoin);

    internal void Start() => _thread.Start();

    internal void End()
    {
        Wait.ForEnd(_thread);
        _failure?.Throw();
    }
}
