using ScalableTimers.Analyzers.Grains;
using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM013.</summary>
public class ConfigureAwaitInGrainTests
{
    [Fact]
    public Task ConfigureAwait_OutsideOfGrainsOrOfOtherTasks_IsNotFound() =>
        Verify.FindsAsync<ConfigureAwaitInGrainAnalyzer>(
            """
            public class NoGrain(IGrainDelay delay)
            {
                public async Task M() => await delay.Delay(TimeSpan.Zero).ConfigureAwait(false);
            }

            public class G(IGrainDelay delay) : Grain
            {
                public async Task M()
                {
                    await delay.Delay(TimeSpan.Zero).ConfigureAwait(true);
                    await Task.CompletedTask.ConfigureAwait(false);
                    await Task.Run(async () => await delay.Delay(TimeSpan.Zero).ConfigureAwait(false));
                }
            }
            """);

    [Fact]
    public Task Fix_ConfigureAwait_RemovesIt() => Verify.FixesAsync<ConfigureAwaitInGrainAnalyzer, ConfigureAwaitFix>(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M()
            {
                await [|delay.Delay(TimeSpan.Zero).ConfigureAwait(false)|]; // why
                await [|delay.Delay(default).AsTask().ConfigureAwait(continueOnCapturedContext: false)|];
                using var timer = delay.CreatePeriodicTimer(TimeSpan.FromSeconds(1));
                while (await [|timer.WaitForNextTickAsync().ConfigureAwait(false)|])
                {
                }
            }
        }
        """,
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M()
            {
                await delay.Delay(TimeSpan.Zero); // why
                await delay.Delay(default).AsTask();
                using var timer = delay.CreatePeriodicTimer(TimeSpan.FromSeconds(1));
                while (await timer.WaitForNextTickAsync())
                {
                }
            }
        }
        """);

    [Fact]
    public Task Fix_CommentThatWouldBeLost_ThereIsNone() =>
        Verify.HasNoFixAsync<ConfigureAwaitInGrainAnalyzer, ConfigureAwaitFix>(
            """
            public class G(IGrainDelay delay) : Grain
            {
                public async Task M() => await [|delay.Delay(TimeSpan.Zero) // why
                    .ConfigureAwait(false)|];
            }
            """);
}
