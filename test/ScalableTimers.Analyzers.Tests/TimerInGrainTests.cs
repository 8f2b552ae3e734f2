using ScalableTimers.Analyzers.Grains;
using ScalableTimers.Analyzers.Tests.Verification;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM003.</summary>
public class TimerInGrainTests
{
    [Fact]
    public Task Timer_InGrain_IsFound() => Verify.FindsAsync<TimerInGrainAnalyzer>(
        """
        public class G : Grain
        {
            private readonly System.Timers.Timer _timer = [|new System.Timers.Timer(100)|];

            public Timer M() => [|new Timer(_ => _timer.Start(), null, 1, 1)|];

            public Timer N() => [|new(_ => _timer.Start())|];

            public static Timer Static() => new(_ => { });
        }

        public class NoGrain
        {
            public Timer M() => new Timer(_ => { }, null, 1, 1);
        }
        """);
}
