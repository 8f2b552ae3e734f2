using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: <c>DisposeAsync</c> of a timer completes when no callback of it runs any more, as with .NET's timers. And what
/// blocks on the end of a service does not wait for itself.
/// </summary>
public sealed class P11_NoWorseThanWhatItReplacesTests_Disposal : IDisposable
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    private readonly TimerService _service = new();

    /// <summary>.NET's timers, and ours.</summary>
    public static TheoryData<string> Timers => ["Timer", "TimeProvider.System", "TimeProvider", "CreatePeriodicTimer"];

    public void Dispose() => _service.Dispose();

    // Failed before with both of ours: the resource was used after its disposal.
    [Theory]
    [MemberData(nameof(Timers))]
    public async Task DisposeAsync_AwaitedByWhatTheCallbackResumes_CompletesWhenItHasReturned(string kind)
    {
        var found = new TaskCompletionSource();
        var returned = new TaskCompletionSource();
        using var created = new ManualResetEventSlim();
        var isDisposed = false;
        ITimer? timer = null;
        timer = NewTimer(
            kind,
            () =>
            {
                // The code that awaits it runs within this call, as after any SetResult.
                Wait.For(created, "the timer and what awaits it");
                found.SetResult();
                returned.SetFromTask(isDisposed
                    ? Task.FromException(new InvalidOperationException("Used after its disposal."))
                    : Task.CompletedTask);
            },
            Timeout.InfiniteTimeSpan);

        async Task Use()
        {
            await found.Task.ConfigureAwait(false);
            await timer.DisposeAsync().ConfigureAwait(false);
            isDisposed = true;
        }

        var use = Use();
        created.Set();
        await Wait.For(returned.Task, "the callback");
        await Wait.For(use, "the end of the disposal");
    }

    // Failed before with ours: the disposal in the second firing was over while the first one still ran.
    [Theory]
    [InlineData("Timer")]
    [InlineData("TimeProvider.System")]
    [InlineData("TimeProvider")]
    public async Task DisposeAsync_InOneOfTwoFirings_WaitsForTheOther(string kind)
    {
        var disposal = new TaskCompletionSource<Task>();
        using var created = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        var firings = 0;
        var hasEnded = false;
        ITimer? timer = null;
        timer = NewTimer(
            kind,
            () =>
            {
                Wait.For(created, "the timer");
                switch (Interlocked.Increment(ref firings))
                {
                    case 1:
                        Wait.For(release, "the second firing");
                        Volatile.Write(ref hasEnded, true);
                        break;
                    case 2:
                        disposal.SetResult(timer!.DisposeAsync().AsTask());
                        break;
                    default:
                        break;
                }
            },
            period: s_tick);
        created.Set();

        var task = await Wait.For(disposal.Task, "the second firing");

        var isOver = task.IsCompleted;
        release.Set();
        Assert.False(isOver, "The first firing still ran.");
        await Wait.For(task, "the end of the disposal");
        Assert.True(Volatile.Read(ref hasEnded), "The first firing still runs.");
    }

    // Failed before with a source and a timer as the state: what the service runs for itself was told by the state.
    [Theory]
    [InlineData("object")]
    [InlineData("source")]
    [InlineData("timer of the provider")]
    public async Task DisposeAsync_ACallbackOfAnyStateRuns_WaitsForItAsDotNetDoes(string kind)
    {
        using var source = new CancellationTokenSource();
        using var timer = _service.TimeProvider.CreateTimer(
            static _ => { }, null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        using var begun = new CountdownEvent(2);
        using var release = new ManualResetEventSlim();
        object state = kind switch { "source" => source, "object" => begun, _ => timer };
        void Block(object? state)
        {
            begun.Signal();
            Wait.For(release, "the release");
        }

        var control = new Timer(Block, state, TimeSpan.Zero, Timeout.InfiniteTimeSpan);
        _service.Schedule(Block, state, TimeSpan.Zero);
        Wait.For(begun, "both callbacks");
        var (ours, net) = (_service.DisposeAsync().AsTask(), control.DisposeAsync().AsTask());

        Assert.Equal((false, false), (ours.IsCompleted, net.IsCompleted));
        release.Set();
        await Wait.For(Task.WhenAll(ours, net), "both disposals");
    }

    // .NET's timers have no thread each. Failed before: the driver's thread stayed until nothing was pending.
    [Fact]
    public async Task Dispose_TimersOutliveIt_TheThreadEndsAndTheyFire()
    {
        var service = Services.WithSystemClock();
        using var far = service.TimeProvider.CreateTimer(
            static _ => { }, null, 360_000 * s_tick, Timeout.InfiniteTimeSpan);
        var thread = Services.DriverThread(service)!;

        service.Dispose();

        Wait.ForEnd(thread);
        await Wait.For(Task.Delay(s_tick, service.TimeProvider), "a timer that was set later");
    }

    // Main goes on in the service's worker, and blocks there until the host has disposed the service. Failed before:
    // the process never ended. The control is "Task.Delay".
    [Theory]
    [InlineData("Task.Delay")]
    [InlineData("Delay")]
    [InlineData("over TimeProvider")]
    [InlineData("PeriodicTimer")]
    [InlineData("WaitAsync")]
    [InlineData("CancelAfter")]
    [InlineData("Schedule")]
    public async Task Run_OfAHostAfterAWait_ReturnsWhenTheApplicationStops(string wait)
    {
        var host = Services.NewHost(static services => services.AddScalableTimers());
        var timers = host.Services.GetRequiredService<TimerService>();
        var application = host.Services.GetRequiredService<IHostApplicationLifetime>();
        _ = application.ApplicationStarted.Register(() => ThreadPool.UnsafeQueueUserWorkItem(
            static application => ((IHostApplicationLifetime)application!).StopApplication(), application));

        async Task Main()
        {
            using var source = new CancellationTokenSource();
            using var periodic = new PeriodicTimer(s_tick, timers.TimeProvider);
            await (wait switch
            {
                "Task.Delay" => Task.Delay(s_tick),
                "over TimeProvider" => Task.Delay(s_tick, timers.TimeProvider),
                "Delay" => Inside(timers.Delay(s_tick)),
                "PeriodicTimer" => Inside(Ticked(periodic)),
                "WaitAsync" => new TaskCompletionSource().Task.WaitAsync(s_tick, timers.TimeProvider),
                "Schedule" => Called(),
                _ => Cancelled(source),
            }).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            host.Run();
        }

        static async Task Inside(ValueTask delay) => await delay.ConfigureAwait(false);

        static async ValueTask Ticked(PeriodicTimer timer) => await timer.WaitForNextTickAsync().ConfigureAwait(false);

        async Task Called()
        {
            var called = new TaskCompletionSource();
            _ = timers.Schedule(static called => called.SetResult(), called, s_tick);
            await called.Task.ConfigureAwait(false);
        }

        async Task Cancelled(CancellationTokenSource source)
        {
            var cancelled = new TaskCompletionSource();
            _ = source.Token.Register(cancelled.SetResult);
            _ = timers.CancelAfter(source, s_tick);
            await cancelled.Task.ConfigureAwait(false);
        }

        await Wait.For(Task.Run(Main, TestContext.Current.CancellationToken), "the end of the program");
    }

    private ITimer NewTimer(string kind, Action callback, TimeSpan period)
    {
        TimerCallback call = _ => callback();
        return kind switch
        {
            "Timer" => new Timer(call, null, s_tick, period),
            "TimeProvider.System" => TimeProvider.System.CreateTimer(call, null, s_tick, period),
            "TimeProvider" => _service.TimeProvider.CreateTimer(call, null, s_tick, period),
            _ => _service.CreatePeriodicTimer(call, null, s_tick, period),
        };
    }
}
