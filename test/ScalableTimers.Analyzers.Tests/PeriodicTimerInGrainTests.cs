using ScalableTimers.Analyzers.Grains;
using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM002.</summary>
public class PeriodicTimerInGrainTests
{
    [Fact]
    public Task Timer_InGrain_IsFound() => Verify.FindsAsync<PeriodicTimerInGrainAnalyzer>(
        """
        public class G : Grain
        {
            private PeriodicTimer? _timer;

            public void M() => _timer = [|new PeriodicTimer(TimeSpan.FromSeconds(1))|];

            public PeriodicTimer N(TimeProvider clock) => new PeriodicTimer(TimeSpan.FromSeconds(1), clock);

            public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
                return _timer!.WaitForNextTickAsync(token).AsTask();
            }
        }

        public class NoGrain
        {
            public PeriodicTimer M() => new(TimeSpan.FromSeconds(1));
        }
        """);

    [Fact]
    public Task Fix_TimerOfALocal_Replaces() => Verify.FixesAsync<PeriodicTimerInGrainAnalyzer, DelayFix>(
        """
        public sealed class G : Grain
        {
            public async Task M(CancellationToken token)
            {
                using var timer = [|new PeriodicTimer(TimeSpan.FromSeconds(1))|];
                while (await timer.WaitForNextTickAsync(token))
                {
                    timer.Period = TimeSpan.FromSeconds(2);
                }
            }

            public async Task N()
            {
                using (PeriodicTimer timer = [|new(TimeSpan.FromSeconds(1))|])
                {
                    await timer.WaitForNextTickAsync();
                }
            }
        }
        """,
        """
        public sealed class G(IGrainDelay delay) : Grain
        {
            public async Task M(CancellationToken token)
            {
                using var timer = delay.CreatePeriodicTimer(TimeSpan.FromSeconds(1));
                while (await timer.WaitForNextTickAsync(token))
                {
                    timer.Period = TimeSpan.FromSeconds(2);
                }
            }

            public async Task N()
            {
                using (var timer = delay.CreatePeriodicTimer(TimeSpan.FromSeconds(1)))
                {
                    await timer.WaitForNextTickAsync();
                }
            }
        }
        """);

    [Fact]
    public Task Fix_TimerThatLeavesItsLocal_ThereIsNone() =>
        Verify.HasNoFixAsync<PeriodicTimerInGrainAnalyzer, DelayFix>(
            """
            public sealed class G(IGrainDelay delay) : Grain
            {
                public void M()
                {
                    var timer = [|new PeriodicTimer(TimeSpan.FromSeconds(1))|];
                    Use(timer);
                    delay.KeepAlive = false;
                }

                private static void Use(PeriodicTimer timer)
                {
                }
            }
            """);

    [Fact]
    public Task Fix_TimerWithAnInitializer_ThereIsNone() =>
        Verify.HasNoFixAsync<PeriodicTimerInGrainAnalyzer, DelayFix>(
            """
            public sealed class G(IGrainDelay delay) : Grain
            {
                public async Task M()
                {
                    using var timer = [|new PeriodicTimer(TimeSpan.FromSeconds(1)) { Period = TimeSpan.FromDays(1) }|];
                    await timer.WaitForNextTickAsync();
                    await delay.Delay(default);
                }
            }
            """);
}
