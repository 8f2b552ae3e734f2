using System.Runtime.ExceptionServices;
using Xunit.Sdk;

namespace ScalableTimers.StressTests;

/// <summary>Threads that start together, end together, and report their exceptions.</summary>
internal static class StressThreads
{
    /// <summary>
    /// Longer than any body, because bodies limit themselves. This limit is for one that hangs in the code under test.
    /// </summary>
    private static readonly TimeSpan s_hang = TimeSpan.FromMinutes(15);

    /// <summary>Runs a body on several new threads at once and waits for all of them.</summary>
    internal static void Run(string phase, int count, Action<int> body)
    {
        using var start = new Barrier(count);
        Exception? failure = null;
        var threads = Array.ConvertAll([.. Enumerable.Range(0, count)], index => new Thread(() =>
        {
            start.SignalAndWait();
            try
            {
                body(index);
            }
            catch (Exception exception)
            {
                Interlocked.CompareExchange(ref failure, exception, null);
            }
        })
        {
            IsBackground = true,
            Name = $"stress {index}",
        });
        Array.ForEach(threads, static thread => thread.Start());

        // If one thread fails, the others might wait for it forever.
        var giveUpAt = StressTime.In(s_hang);
        while (failure is null && Array.Find(threads, static thread => thread.IsAlive) is { } running)
        {
            running.Join(TimeSpan.FromSeconds(1));
            if (StressTime.IsOver(giveUpAt))
            {
                Stress.Fail(phase, "a thread hangs.");
            }
        }

        if (failure is XunitException)
        {
            ExceptionDispatchInfo.Throw(failure);
        }
        else if (failure is not null)
        {
            Stress.Fail(phase, $"a thread threw {failure}");
        }
    }
}
