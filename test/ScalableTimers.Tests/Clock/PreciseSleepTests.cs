using System.Diagnostics;
using ScalableTimers.Clock;

namespace ScalableTimers.Tests.Clock;

public class PreciseSleepTests
{
    [Fact]
    public void TrySleep_FractionOfAMillisecond_LastsThatLongAtLeast()
    {
        // A signal ends it early, as the runtime sends them to threads that are to stop for the garbage collector; not
        // each time.
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
