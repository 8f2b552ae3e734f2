namespace ScalableTimers.StressTests;

/// <summary>
/// Two threads repeatedly start a wave of timers each, then end their own and each other's near the deadlines.
/// </summary>
internal static class Waves
{
    /// <summary>
    /// Runs waves for a while. The plan says what a thread does to a timer of its own and to one of the other thread's.
    /// </summary>
    internal static void Run<T>(
        string phase, int round, int size, Func<Random, T> start, Action<TimedActions, T, T, Random> plan)
    {
        var lastRoundAt = Stress.LastRoundAt(0.7, 2);
        var isOver = false;
        var waves = new T[2][];
        using var together = new Barrier(2, _ => isOver = StressTime.IsOver(lastRoundAt));
        StressThreads.Run(phase, 2, thread =>
        {
            var random = Stress.NewRandom((round * 2) + thread);
            while (!isOver)
            {
                var (mine, actions) = (new T[size], new TimedActions());
                for (var i = 0; i < size; i++)
                {
                    mine[i] = start(random);
                }

                waves[thread] = mine;
                together.SignalAndWait();
                for (var i = 0; i < size; i++)
                {
                    plan(actions, mine[i], waves[1 - thread][i], random);
                }

                // A thread does not replace a wave that the other thread is still ending.
                actions.Run();
                together.SignalAndWait();
            }
        });
    }
}
