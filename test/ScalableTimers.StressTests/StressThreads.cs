using System.Runtime.ExceptionServices;
using Xunit.Sdk;

namespace ScalableTimers.StressTests;

/// <summary>Threads that start together, end together, and report their exceptions.</summary>
internal static class StressThreads
{
    /// <summary>
    /// Longer than the longest body. Bodies limit themselves. This limit is for a body that hangs in the code under
    /// test.
    /// </summary>
    private static readonly TimeSpan s_hang = TimeSpan.FromMinutes(15);
    private static readonly TimeSpan s_poll = TimeSpan.FromSeconds(1);

    /// <summary>Runs a body on several new threads at once and waits for all of them.</summary>
    /// <param name="phase">What the test is doing, for the message when a thread hangs or throws.</param>
    /// <param name="count">How many threads.</param>
    /// <param name="body">Receives the number of its thread.</param>
    internal static void Run(string phase, int count, Action<int> body)
    {
        using var start = new Barrier(count);
        var failures = new Exception?[count];
        var threads = new Thread[count];
        for (var i = 0; i < count; i++)
        {
            var index = i;
            threads[i] = new Thread(() =>
            {
                start.SignalAndWait();
                try
                {
                    body(index);
                }
                catch (Exception exception)
                {
                    failures[index] = exception;
                }
            })
            {
                IsBackground = true,
                Name = $"stress {index}",
            };
            threads[i].Start();
        }

        Join(phase, threads, failures);
        switch (Array.Find(failures, static failure => failure is not null))
        {
            case XunitException failed:
                ExceptionDispatchInfo.Throw(failed);
                break;
            case { } thrown:
                Stress.Fail(phase, $"a thread threw {thrown}");
                break;
        }
    }

    /// <summary>Waits in fine steps, so that two threads that start at once meet at every distance in time.</summary>
    /// <param name="steps">How long, in steps of about a nanosecond.</param>
    internal static void Linger(int steps)
    {
        for (var i = 0; i < steps; i++)
        {
            Volatile.Read(ref steps);
        }
    }

    private static void Join(string phase, Thread[] threads, Exception?[] failures)
    {
        var giveUpAt = StressTime.In(s_hang);
        foreach (var thread in threads)
        {
            while (!thread.Join(s_poll))
            {
                // The other threads might wait for the failed one for ever.
                if (Array.Exists(failures, static failure => failure is not null))
                {
                    return;
                }

                if (StressTime.IsOver(giveUpAt))
                {
                    Stress.Fail(phase, "a thread hangs.");
                }
            }
        }
    }
}
