using System.Diagnostics;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two threads that do something at the same moment, again and again.</summary>
internal static class Race
{
    /// <summary>Runs rounds for a second.</summary>
    /// <param name="run">What the two threads do at once, given their number.</param>
    /// <param name="check">What one of them does after each round.</param>
    internal static async Task Run(Action<int> run, Action check)
    {
        var (arrived, isLast, begun) = (0, false, Stopwatch.GetTimestamp());
        await Task.WhenAll(Start(0), Start(1)).Guarded("the race ends");

        Task Start(int thread) => Task.Factory.StartNew(
            () => Rounds(thread), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        void Rounds(int thread)
        {
            try
            {
                for (var round = 0; !Volatile.Read(ref isLast); round++)
                {
                    Meet(ref arrived, (6 * round) + 2);
                    Thread.SpinWait(round % 2 == thread ? round / 2 % 16 : 0);
                    run(thread);
                    Meet(ref arrived, (6 * round) + 4);
                    if (thread == 0)
                    {
                        check();
                        Volatile.Write(ref isLast, Stopwatch.GetElapsedTime(begun).TotalSeconds > 1);
                    }

                    // The other thread waits here for the end of the check.
                    Meet(ref arrived, (6 * round) + 6);
                }
            }
            finally
            {
                // Whatever one has thrown, the other ends too.
                Volatile.Write(ref isLast, true);
                Volatile.Write(ref arrived, int.MaxValue / 2);
            }
        }
    }

    /// <summary>Waits until all have arrived here, without letting go of the processor for long.</summary>
    internal static void Meet(ref int arrived, int all)
    {
        Interlocked.Increment(ref arrived);
        for (var spins = 0; Volatile.Read(ref arrived) < all; spins++)
        {
            if (spins < 1000)
            {
                Thread.SpinWait(1);
            }
            else
            {
                Thread.Yield();
            }
        }
    }
}
