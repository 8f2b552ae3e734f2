
namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM001: how the fix rewrites a delay.</summary>
public class DelayFixTests
{
    [Fact]
    public Task Fix_AwaitedDelay_KeepsTokensAndComments() => Verify.FixesAsync(
        """
        public class G(IGrainDelay delay) : Grain
        {
            public async Task M(CancellationToken token)
            {
        -        await [|Task.Delay(TimeSpan.FromSeconds(1), token)|]; // a comment
        -        await [|Task.Delay(millisecondsDelay: 5, cancellationToken: token)|];
        -        await [|Task.Delay(100)|].ConfigureAwait(false);
        -        await [|Task.Delay(-1, token)|];
        -        await [|Task.Delay(1000 /* ms */)|];
        +        await delay.Delay(TimeSpan.FromSeconds(1), token); // a comment
        +        await delay.Delay(TimeSpan.FromMilliseconds(5), cancellationToken: token);
        +        await delay.Delay(TimeSpan.FromMilliseconds(100)).ConfigureAwait(false);
        +        await delay.Delay(Timeout.InfiniteTimeSpan, token);
        +        await delay.Delay(TimeSpan.FromMilliseconds(1000) /* ms */);
                await delay.Delay(default);
            }
        }
        """);

    [Fact]
    public Task Fix_TaskIsNeeded_AddsAsTask() => Verify.FixesAsync(
        """
        public class G(IGrainDelay delay) : Grain
        {
        -    public Task M() => [|Task.Delay(100)|];
        +    public Task M() => delay.Delay(TimeSpan.FromMilliseconds(100)).AsTask();

            public async Task N(Task work)
            {
        -        var timeout = [|Task.Delay(100)|];
        -        await Task.WhenAny(work, timeout, [|Task.Delay(200)|]);
        -        await [|Task.Delay(3)|].ConfigureAwait(ConfigureAwaitOptions.None);
        -        await Task.Run(() => [|Task.Delay(400)|]);
        +        var timeout = delay.Delay(TimeSpan.FromMilliseconds(100)).AsTask();
        +        await Task.WhenAny(work, timeout, delay.Delay(TimeSpan.FromMilliseconds(200)).AsTask());
        +        await delay.Delay(TimeSpan.FromMilliseconds(3)).AsTask().ConfigureAwait(ConfigureAwaitOptions.None);
        +        await Task.Run(() => delay.Delay(TimeSpan.FromMilliseconds(400)).AsTask());
                delay.KeepAlive = true;
            }
        }
        """);

    [Fact]
    public Task Fix_DeactivationOfAnotherBase_IgnoresIt() => Verify.FixesAsync(
        """
        public sealed class Poco(IGrainContext context, IGrainDelay delay) : IGrainBase
        {
            public IGrainContext GrainContext => context;

            async Task IGrainBase.OnDeactivateAsync(DeactivationReason reason, CancellationToken token)
            {
                delay.KeepAlive = false;
        -        await [|Task.Delay(1, token)|];
        +        await delay.DelayIgnoringDeactivation(TimeSpan.FromMilliseconds(1), token);
            }
        }
        """);

    [Fact]
    public Task Fix_SleepOrReorderedArgumentsOrNoDelay_IsNotOffered() => Verify.HasNoFixAsync(
        """
        public sealed class Other(IGrainDelay delay) : Grain
        {
            public async Task M(CancellationToken token)
            {
                [|Thread.Sleep(1)|];
                await [|Task.Delay(cancellationToken: token, millisecondsDelay: 5)|];
                await delay.Delay(default);
            }
        }

        public sealed class NoInstance : Grain
        {
            private readonly Func<Task> _wait = () => [|Task.Delay(1)|];

            public NoInstance() => Started = [|Task.Delay(1)|];

            public Task Started { get; }

            public Task M()
            {
                return Inner();
                static Task Inner() => [|Task.Delay(1)|];
            }

            public Task N() => _wait();
        }

        public sealed class Hidden(IGrainDelay delay) : Grain
        {
            public async Task M(int delay) => await [|Task.Delay(delay)|];

            public Func<int, Task> N() => delay => [|Task.Delay(delay)|];

            public async Task Uses() => await delay.Delay(TimeSpan.Zero);
        }
        """);
}
