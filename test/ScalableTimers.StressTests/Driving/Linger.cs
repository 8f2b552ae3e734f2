namespace ScalableTimers.StressTests.Driving;

/// <summary>Waits in fine steps, so that two threads that start at once meet at every distance in time.</summary>
internal static class Linger
{
    /// <param name="steps">How long, in steps of about a nanosecond.</param>
    internal static void Steps(int steps)
    {
        for (var i = 0; i < steps; i++)
        {
            Volatile.Read(ref steps);
        }
    }
}
