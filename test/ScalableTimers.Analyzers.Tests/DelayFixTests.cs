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

    [Fact]
    public Task Fix_CommentsInTheArguments_KeepsThem() => Fixes(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M(CancellationToken token)
            {
                await [|Task.Delay(
                    1000, // a second
                    token)|];
                await [|Task.Delay(1000 /* ms */)|];
                [|Thread.Sleep(/* ms: */ 5)|];
                await [|Task.Delay(cancellationToken: token, millisecondsDelay: 5)|];
                await delay.Delay(default);
            }
        }
        """,
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M(CancellationToken token)
            {
                await delay.Delay(
                    TimeSpan.FromMilliseconds(1000), // a second
                    token);
                await delay.Delay(TimeSpan.FromMilliseconds(1000) /* ms */);
                await delay.Delay(/* ms: */ TimeSpan.FromMilliseconds(5));
                await delay.Delay(TimeSpan.FromMilliseconds(5), token);
                await delay.Delay(default);
            }
        }
        """);

    [Fact]
    public Task Fix_DelayInTheArgumentsOfAnother_FixesBoth() => Fixes(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M()
            {
                await [|Task.Delay(
                    await N(async () => await [|Task.Delay(1)|]))|];
                await delay.Delay(default);
            }

            private static Task<int> N(Func<Task> function) => Task.FromResult(1);
        }
        """,
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M()
            {
                await delay.Delay(
                    TimeSpan.FromMilliseconds(await N(async () => await delay.Delay(TimeSpan.FromMilliseconds(1)))));
                await delay.Delay(default);
            }

            private static Task<int> N(Func<Task> function) => Task.FromResult(1);
        }
        """);

    [Fact]
    public Task Fix_TimeOfATypeThatConverts_KeepsItsUnit() => Fixes(
        """
        public readonly struct Period
        {
            public static implicit operator TimeSpan(Period period) => default;
        }

        public class G(IGrainDelay delay) : Grain
        {
            public async Task M(Period period)
            {
                await [|Task.Delay(period)|];
                await delay.Delay(default);
            }
        }
        """,
        """
        public readonly struct Period
        {
            public static implicit operator TimeSpan(Period period) => default;
        }

        public class G(IGrainDelay delay) : Grain
        {
            public async Task M(Period period)
            {
                await delay.Delay(period);
                await delay.Delay(default);
            }
        }
        """);

    [Fact]
    public Task Fix_SleepBesideASpan_ThereIsNone() => HasNoFix(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M()
            {
                Span<byte> bytes = stackalloc byte[1];
                [|Thread.Sleep(1)|];
                bytes[0] = 1;
                await delay.Delay(default);
            }
        }
        """);

    private static Task Fixes(string before, string after) =>
        Verify.FixesAsync<DelayInGrainAnalyzer, DelayFix>(before, after);

    private static Task HasNoFix(string source) => Verify.HasNoFixAsync<DelayInGrainAnalyzer, DelayFix>(source);
}
