using System.Diagnostics;
using ScalableTimers.Clock;

namespace ScalableTimers.Tests.Clock;

public class PreciseSleepTests
{
    [Fact]
    public void TrySleep_FractionOfAMillisecond_LastsThatLongAtLeast()
    {
        // A signal ends the sleep early. The runtime sends signals to threads that have to stop for the garbage
        // collector, but not during every sleep.
        var duration = TimeSpan.FromMicroseconds(700);
        var longest = TimeSpan.Zero;
        for (var i = 0; i < 100 && longest < duration; i++)
        {
            var started = Stopwatch.GetTimestamp();
            var hasSlept = PreciseSleep.TrySleep(duration);
            longest = Stopwatch.GetElapsedTime(started);
            Assert.Equal(OperatingSystem.IsLinux(), hasSlept);
            if (!hasSlept)
            {
                return;
            }
        }

        Assert.InRange(longest, duration, TimeSpan.MaxValue);
    }
}
