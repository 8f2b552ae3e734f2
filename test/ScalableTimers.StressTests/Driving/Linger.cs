namespace ScalableTimers.StressTests.Driving;

/// <summary>Takes time in fine steps, so that two threads that are let go at once meet at every distance.</summary>
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
