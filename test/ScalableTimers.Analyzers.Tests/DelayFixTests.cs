using ScalableTimers.Analyzers.Grains;
using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM001: what becomes of a delay.</summary>
public class DelayFixTests
{
    [Fact]
    public Task Fix_FieldExists_UsesItAndKeepsTokens() => Fixes(
        """
        public class G : Grain
        {
            private readonly IGrainDelay _wait;

            public G(IGrainDelay wait) => _wait = wait;

            public async Task M(CancellationToken token)
            {
                await [|Task.Delay(TimeSpan.FromSeconds(1), token)|]; // a comment
                await [|Task.Delay(cancellationToken: token, millisecondsDelay: 5)|];
                await [|Task.Delay(100)|].ConfigureAwait(false);
                await [|Task.Delay(-1, token)|];
            }
        }
        """,
        """
        public class G : Grain
        {
            private readonly IGrainDelay _wait;

            public G(IGrainDelay wait) => _wait = wait;

            public async Task M(CancellationToken token)
            {
                await _wait.Delay(TimeSpan.FromSeconds(1), token); // a comment
                await _wait.Delay(TimeSpan.FromMilliseconds(5), token);
                await _wait.Delay(TimeSpan.FromMilliseconds(100)).ConfigureAwait(false);
                await _wait.Delay(Timeout.InfiniteTimeSpan, token);
            }
        }
        """);

    [Fact]
    public Task Fix_TaskIsWanted_GivesOne() => Fixes(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public Task M() => [|Task.Delay(100)|];

            public async Task N(Task work)
            {
                var timeout = [|Task.Delay(100)|];
                await Task.WhenAny(work, timeout, [|Task.Delay(200)|]);
                await [|Task.Delay(3)|].ConfigureAwait(ConfigureAwaitOptions.None);
                await Task.Run(() => [|Task.Delay(400)|]);
                delay.KeepAlive = true;
            }
        }
        """,
        """
        public class G(IGrainDelay delay) : Grain
        {
            public Task M() => delay.Delay(TimeSpan.FromMilliseconds(100)).AsTask();

            public async Task N(Task work)
            {
                var timeout = delay.Delay(TimeSpan.FromMilliseconds(100)).AsTask();
                await Task.WhenAny(work, timeout, delay.Delay(TimeSpan.FromMilliseconds(200)).AsTask());
                await delay.Delay(TimeSpan.FromMilliseconds(3)).AsTask().ConfigureAwait(ConfigureAwaitOptions.None);
                await Task.Run(() => delay.Delay(TimeSpan.FromMilliseconds(400)).AsTask());
                delay.KeepAlive = true;
            }
        }
        """);

    [Fact]
    public Task Fix_Deactivation_IgnoresIt() => Fixes(
        """
        public sealed class G(IGrainDelay delay) : Grain
        {
            public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                delay.KeepAlive = false;
                await [|Task.Delay(1, token)|];
            }
        }

        public sealed class Poco(IGrainDelay delay) : IGrainBase
        {
            async Task IGrainBase.OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                delay.KeepAlive = false;
                await [|Task.Delay(1, token)|];
            }
        }
        """,
        """
        public sealed class G(IGrainDelay delay) : Grain
        {
            public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                delay.KeepAlive = false;
                await delay.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(1), token);
            }
        }

        public sealed class Poco(IGrainDelay delay) : IGrainBase
        {
            async Task IGrainBase.OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                delay.KeepAlive = false;
                await delay.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(1), token);
            }
        }
        """);

    [Fact]
    public Task Fix_SleepInAnAsyncMethod_Awaits() => Fixes(
        """
        public sealed class G(IGrainDelay delay) : Grain
        {
            public async Task M()
            {
                [|Thread.Sleep(TimeSpan.FromSeconds(1))|];
                await delay.Delay(default);
            }
        }
        """,
        """
        public sealed class G(IGrainDelay delay) : Grain
        {
            public async Task M()
            {
                await delay.Delay(TimeSpan.FromSeconds(1));
                await delay.Delay(default);
            }
        }
        """);

    [Fact]
    public Task Fix_SleepThatCannotBeAwaited_ThereIsNone() => HasNoFix(
        """
        public sealed class G(IGrainDelay delay) : Grain
        {
            public Task M()
            {
                [|Thread.Sleep(1)|];
                return delay.Delay(default).AsTask();
            }

            public async Task N()
            {
                lock (this)
                {
                    [|Thread.Sleep(1)|];
                }

                await Task.Yield();
            }
        }
        """);

    [Fact]
    public Task Fix_StaticFunctionOrConstructor_ThereIsNone() => HasNoFix(
        """
        public sealed class G : Grain
        {
            public G()
            {
                Started = [|Task.Delay(1)|];
            }

            public Task Started { get; }

            public Task M()
            {
                return Inner();
                static Task Inner() => [|Task.Delay(1)|];
            }
        }
        """);

    [Fact]
    public Task Fix_ParameterOfTheClassIsHidden_ThereIsNone() => HasNoFix(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M(int delay) => await [|Task.Delay(delay)|];

            public Func<int, Task> N() => delay => [|Task.Delay(delay)|];

            public async Task Uses() => await delay.Delay(TimeSpan.Zero);
        }
        """);

    private static Task Fixes(string before, string after) =>
        Verify.FixesAsync<DelayInGrainAnalyzer, DelayFix>(before, after);

    private static Task HasNoFix(string source) => Verify.HasNoFixAsync<DelayInGrainAnalyzer, DelayFix>(source);
}
