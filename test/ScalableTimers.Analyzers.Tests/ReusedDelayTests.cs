using ScalableTimers.Analyzers.Delays;
using ScalableTimers.Analyzers.Tests.Verification;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM008.</summary>
public class ReusedDelayTests
{
    [Fact]
    public Task Delay_AwaitedTwice_IsFound() => Finds(
        """
        public class C(TimerService timers, IGrainDelay delay, IGrainPeriodicTimer timer)
        {
            public async Task M(bool again)
            {
                var twice = timers.Delay(TimeSpan.Zero);
                await twice;
                await [|twice|];

                var perhaps = delay.Delay(TimeSpan.Zero).ConfigureAwait(false);
                await perhaps;
                var maybe = timer.WaitForNextTickAsync();
                if (again)
                {
                    await maybe;
                }

                await [|maybe|].ConfigureAwait(false);

                var loop = timers.TryDelay(TimeSpan.Zero);
                while (again)
                {
                    again = await [|loop|];
                }
            }

            public Func<Task> N() => async () =>
            {
                ValueTask<bool> twice;
                twice = timers.TryDelay(TimeSpan.Zero);
                await Task.WhenAll(twice.AsTask(), [|twice|].AsTask());
                await Inner();
                async Task Inner()
                {
                    var inner = timers.Delay(TimeSpan.Zero);
                    try
                    {
                        await inner;
                    }
                    finally
                    {
                        await [|inner|];
                    }
                }
            };
        }
        """);

    [Fact]
    public Task Delay_AwaitedOnceOnEachPath_IsNotFound() => Finds(
        """
        public class C(TimerService timers)
        {
            public async Task M(bool either)
            {
                var once = timers.Delay(TimeSpan.Zero);
                if (either)
                {
                    await once;
                }
                else
                {
                    await once.ConfigureAwait(false);
                }

                ValueTask<bool> renewed = timers.TryDelay(TimeSpan.Zero);
                while (await renewed)
                {
                    renewed = timers.TryDelay(TimeSpan.Zero);
                }

                var asked = timers.TryDelay(TimeSpan.Zero);
                if (asked.IsCompletedSuccessfully && asked.Result)
                {
                    return;
                }

                var other = Task.Delay(1);
                await other;
                await other;
                var preserved = timers.Delay(TimeSpan.Zero).Preserve();
                await preserved;
                await preserved;
                timers.Delay(TimeSpan.Zero).AsTask().Wait();
            }
        }
        """);

    [Fact]
    public Task Delay_StoredOrBlockedOn_IsFound() => Finds(
        """
        public class C(TimerService timers)
        {
            private ValueTask _stored;
            private Task? _task;
            private readonly ValueTask[] _all = new ValueTask[1];

            private ValueTask Property { get; set; }

            public bool M()
            {
                _stored = [|timers.Delay(TimeSpan.Zero)|];
                Property = [|timers.Delay(TimeSpan.Zero)|];
                _all[0] = [|timers.Delay(TimeSpan.Zero)|];
                _task = timers.Delay(TimeSpan.Zero).AsTask();
                [|timers.Delay(TimeSpan.Zero)|].GetAwaiter().GetResult();
                var local = timers.TryDelay(TimeSpan.Zero);
                return [|timers.TryDelay(TimeSpan.Zero)|].Result || [|local|].Result;
            }
        }
        """);

    [Fact]
    public Task Delay_InAnArray_IsFound() => Finds(
        """
        public class C(TimerService timers)
        {
            public ValueTask[] M() => [[|timers.Delay(TimeSpan.Zero)|]];

            public ValueTask[] N() => new[] { [|timers.Delay(TimeSpan.Zero)|] };

            public Task O() => Task.WhenAll([timers.Delay(TimeSpan.Zero).AsTask()]);
        }
        """);

    [Fact]
    public Task Delay_PreservedInItsLocal_IsNotFound() => Finds(
        """
        public class C(TimerService timers)
        {
            public async Task M()
            {
                var delay = timers.Delay(TimeSpan.Zero);
                delay = delay.Preserve();
                await delay;
                await delay;
            }
        }
        """);

    private static Task Finds(string source) => Verify.FindsAsync<ReusedDelayAnalyzer>(source);
}
