using ScalableTimers.Analyzers.Tests.Verification;
using ScalableTimers.Analyzers.Timeouts;
using ScalableTimers.CodeFixes;

namespace ScalableTimers.Analyzers.Tests;

/// <summary>STM006.</summary>
public class TimeoutSourceTests
{
    [Fact]
    public Task Source_ThatALeaseCannotReplace_IsNotFound() => Verify.FindsAsync<TimeoutSourceAnalyzer>(
        """
        public class C(TimerService timers)
        {
            private CancellationToken _token;

            public Task NotUsing(Task work)
            {
                var source = new CancellationTokenSource(100);
                return work.WaitAsync(source.Token);
            }

            public async Task Cancelled(Task work)
            {
                using var source = new CancellationTokenSource(100);
                source.Cancel();
                await work.WaitAsync(source.Token);
            }

            public Task Returned(Task work)
            {
                using var source = new CancellationTokenSource(100);
                return work.WaitAsync(source.Token);
            }

            public async Task Stored(Task work)
            {
                using var source = new CancellationTokenSource(100);
                _token = source.Token;
                await work;
            }

            public async Task Registered(Task work)
            {
                using var source = new CancellationTokenSource(100);
                source.Token.Register(() => { });
                await work;
            }

            public async Task InAFunctionThatRunsLater(List<Action> later, List<Func<Task>> tasks)
            {
                using var source = new CancellationTokenSource(100);
                later.Add(() => source.Token.ThrowIfCancellationRequested());
                using var other = new CancellationTokenSource(100);
                tasks.Add(async () => await timers.Delay(default, other.Token));
                await Task.Yield();
            }

            public async Task Begun(Task work)
            {
                using var source = new CancellationTokenSource(100);
                Begin(source.Token);
                using var other = new CancellationTokenSource(100);
                await Task.WhenAny(work, work.WaitAsync(other.Token));
            }

            private static void Begin(CancellationToken token) => _ = Task.CompletedTask.WaitAsync(token);

            public async Task OtherClock(Task work, TimeProvider clock)
            {
                using var source = new CancellationTokenSource(TimeSpan.FromSeconds(1), clock);
                await work.WaitAsync(source.Token);
            }

            public async Task Endless(Task work)
            {
                using var source = new CancellationTokenSource();
                using var never = new CancellationTokenSource(-1);
                await timers.Delay(default, source.Token);
                await timers.Delay(default, never.Token);
            }
        }

        public class NoService
        {
            public async Task M(Task work)
            {
                using var source = new CancellationTokenSource(100);
                await work.WaitAsync(source.Token);
            }
        }
        """);

    [Fact]
    public Task Fix_SourceInAUsing_RentsALease() => Verify.FixesAsync<TimeoutSourceAnalyzer, TimeoutFix>(
        """
        public class C(TimerService timers)
        {
            public async Task M(Task work)
            {
                using var source = [|new CancellationTokenSource(100)|];
                await work.WaitAsync(source.Token).ConfigureAwait(false);
                source.Token.ThrowIfCancellationRequested();
                if (source.IsCancellationRequested)
                {
                    await timers.Delay(TimeSpan.Zero, source.Token);
                }
            }
        }

        public class D
        {
            public async Task M(Task work, TimerService timers)
            {
                using (CancellationTokenSource source = [|new(TimeSpan.FromSeconds(1), timers.TimeProvider)|])
                {
                    var token = source.Token;
                    await work.WaitAsync(token);
                }
            }
        }
        """,
        """
        public class C(TimerService timers)
        {
            public async Task M(Task work)
            {
                using var source = timers.RentTimeout(TimeSpan.FromMilliseconds(100));
                await work.WaitAsync(source.Token).ConfigureAwait(false);
                source.Token.ThrowIfCancellationRequested();
                if (source.Token.IsCancellationRequested)
                {
                    await timers.Delay(TimeSpan.Zero, source.Token);
                }
            }
        }

        public class D
        {
            public async Task M(Task work, TimerService timers)
            {
                using (var source = timers.RentTimeout(TimeSpan.FromSeconds(1)))
                {
                    var token = source.Token;
                    await work.WaitAsync(token);
                }
            }
        }
        """);

    [Fact]
    public Task Source_OfATaskThatIsAwaitedForATime_IsNotFound() => Verify.FindsAsync<TimeoutSourceAnalyzer>(
        """
        public class C(TimerService timers)
        {
            public async Task M(Func<CancellationToken, Task> work)
            {
                using var source = new CancellationTokenSource(1000);
                await work(source.Token).WaitAsync(TimeSpan.FromSeconds(2), timers.TimeProvider);
            }

            public async Task N(Func<CancellationToken, Task> work)
            {
                using var source = [|new CancellationTokenSource(1000)|];
                await work(CancellationToken.None).WaitAsync(source.Token);
            }
        }
        """);

    [Fact]
    public Task Source_WhereTheServiceHasNoValue_IsNotFound() => Verify.FindsAsync<TimeoutSourceAnalyzer>(
        """
        public class C
        {
            public async Task M(object given, Task work)
            {
                if (given is TimerService timers)
                {
                    return;
                }

                using var source = new CancellationTokenSource(1000);
                await work.WaitAsync(source.Token);
            }

            public async Task N(TimerService timers, Task work)
            {
                Func<string, Task> run = async timers =>
                {
                    using var source = new CancellationTokenSource(1000);
                    await work.WaitAsync(source.Token);
                };
                await run("");
            }
        }

        public interface IHas
        {
            TimerService Timers { get; }
        }

        public class E : IHas
        {
            TimerService IHas.Timers => null!;

            public async Task M(Task work)
            {
                using var source = new CancellationTokenSource(1000);
                await work.WaitAsync(source.Token);
            }
        }

        public struct S(TimerService timers)
        {
            private readonly TimerService _timers = timers;

            public Func<Task> M(Task work) => async () =>
            {
                using var source = new CancellationTokenSource(1000);
                await work.WaitAsync(source.Token);
            };
        }
        """);
}
