using System.Diagnostics;
using ScalableTimers.Driving;

namespace ScalableTimers.Tests.Driving;

public class PreciseSleepTests
{
    [Fact]
    public void TrySleep_FractionOfAMillisecond_LastsThatLongAtLeast()
    {
        var started = Stopwatch.GetTimestamp();
        var hasSlept = PreciseSleep.TrySleep(TimeSpan.FromMicroseconds(700));

        Assert.Equal(OperatingSystem.IsLinux(), hasSlept);
        if (hasSlept)
        {
            Assert.InRange(Stopwatch.GetElapsedTime(started), TimeSpan.FromMicroseconds(700), TimeSpan.MaxValue);
        }
    }
}
