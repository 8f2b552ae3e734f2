using ScalableTimers.Analyzers.Tests.Verification;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM001: what becomes of a delay.</summary>
public class DelayFixTests
{
    [Fact]
    public Task Fix_FieldExists_UsesItAndKeepsTokens() => Verify.FixesAsync(
        """
        public readonly struct Period
        {
            public static implicit operator TimeSpan(Period period) => default;
        }

        public class G : Grain
        {
            private readonly IGrainDelay _wait;

            public G(IGrainDelay wait) => _wait = wait;

            public async Task M(Period period, CancellationToken token)
            {
                await [|Task.Delay(TimeSpan.FromSeconds(1), token)|]; // a comment
                await [|Task.Delay(period)|];
                await [|Task.Delay(cancellationToken: token, millisecondsDelay: 5)|];
                await [|Task.Delay(100)|].ConfigureAwait(false);
                await [|Task.Delay(-1, token)|];
            }
        }
        """,
        """
        public readonly struct Period
        {
            public static implicit operator TimeSpan(Period period) => default;
        }

        public class G : Grain
        {
            private readonly IGrainDelay _wait;

            public G(IGrainDelay wait) => _wait = wait;

            public async Task M(Period period, CancellationToken token)
            {
                await _wait.Delay(TimeSpan.FromSeconds(1), token); // a comment
                await _wait.Delay(period);
                await _wait.Delay(TimeSpan.FromMilliseconds(5), token);
                await _wait.Delay(TimeSpan.FromMilliseconds(100)).ConfigureAwait(false);
                await _wait.Delay(Timeout.InfiniteTimeSpan, token);
            }
        }
        """);

    [Fact]
    public Task Fix_TaskIsWanted_GivesOne() => Verify.FixesAsync(
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
    public Task Fix_Deactivation_IgnoresIt() => Verify.FixesAsync(
        """
        public sealed class G(IGrainDelay delay) : Grain
        {
            public override async Task OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                delay.KeepAlive = false;
                await [|Task.Delay(1, token)|];
            }
        }

        public sealed class Poco(IGrainContext context, IGrainDelay delay) : IGrainBase
        {
            public IGrainContext GrainContext => context;

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

        public sealed class Poco(IGrainContext context, IGrainDelay delay) : IGrainBase
        {
            public IGrainContext GrainContext => context;

            async Task IGrainBase.OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                delay.KeepAlive = false;
                await delay.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(1), token);
            }
        }
        """);

    [Fact]
    public Task Fix_SleepThatCannotBeAwaited_ThereIsNone() => Verify.HasNoFixAsync(
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

            public async Task BesideASpan()
            {
                Span<byte> bytes = stackalloc byte[1];
                [|Thread.Sleep(1)|];
                bytes[0] = 1;
                await Task.Yield();
            }
        }
        """);

    [Fact]
    public Task Fix_StaticFunctionOrConstructor_ThereIsNone() => Verify.HasNoFixAsync(
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
    public Task Fix_ParameterOfTheClassIsHidden_ThereIsNone() => Verify.HasNoFixAsync(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M(int delay) => await [|Task.Delay(delay)|];

            public Func<int, Task> N() => delay => [|Task.Delay(delay)|];

            public async Task Uses() => await delay.Delay(TimeSpan.Zero);
        }
        """);

    [Fact]
    public Task Fix_CommentsInTheArguments_KeepsThem() => Verify.FixesAsync(
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
                await delay.Delay(default);
            }
        }
        """);
}
