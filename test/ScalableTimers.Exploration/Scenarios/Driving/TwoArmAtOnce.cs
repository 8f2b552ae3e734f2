using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Driving;
using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads wake the driver's thread, which has not been started yet. It is started once, however long reading the
/// clock takes.
/// </summary>
internal sealed class TwoArmAtOnce : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var service = new TimerService(
            new ScalableTimerOptions { Driver = TimerDriverKind.Thread, Resolution = TimeSpan.FromMilliseconds(10) });
        var clock = new TickClock(new SlowClock(), TimeSpan.FromMilliseconds(10));
        var threads = new CountingThreads();
        var source = new ThreadWakeSource(service.Driver, clock, Pass(service.Driver), NullLogger.Instance)
        {
            Supply = threads,
        };
        run.Run("one", source.Arm);
        run.Run("other", source.Arm);
        run.Check(
            () => Interleaving.Require(threads.Started == 1, $"{threads.Started} threads have been started to drive."));
    }

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_pass")]
    private static extern ref DriverPass Pass(TimerDriver driver);

    private sealed class SlowClock : TimeProvider
    {
        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp()
        {
            Interleaving.Point("reads the clock");
            return 0;
        }
    }

    private sealed class CountingThreads : ScalableTimers.Firing.ThreadSupply
    {
        internal int Started { get; private set; }

        internal override void Start(Thread thread) => Started++;
    }
}
