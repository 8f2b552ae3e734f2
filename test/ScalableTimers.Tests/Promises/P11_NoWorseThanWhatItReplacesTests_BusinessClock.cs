using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Testing;
using Microsoft.Extensions.Time.Testing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: a clock that tells another time of day, and makes no timers, is the system's in all else, as it is for
/// <c>Task.Delay</c>. A clock that makes its own timers drives the service.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_BusinessClock
{
    private static readonly TimeSpan s_wait = TimeSpan.FromMilliseconds(20);
    private static readonly DateTimeOffset s_businessTime = new(2001, 2, 3, 4, 5, 6, TimeSpan.Zero);
    private static readonly TimeZoneInfo s_zone =
        TimeZoneInfo.CreateCustomTimeZone("Business", TimeSpan.FromHours(5), "Business", "Business");

    /// <summary>Clocks as programs have them, given to the constructor or to the container.</summary>
    public static MatrixTheoryData<string, bool> Clocks { get; } =
        new(["time of day", "zone", "time of day and timestamps", "another service's", "nothing"],
            [false, true]);

    // Failed before: the clock put the service into virtual time, in which all threads share one queue. Another
    // service's did so until its own clock was taken.
    [Theory]
    [MemberData(nameof(Clocks))]
    public async Task Clock_MakesNoTimers_EachThreadHasItsQueueAndTheTimeOfDayIsTheClocks(
        string kind, bool isInContainer)
    {
        var clock = NewClock(kind);
        await using var made = Make(clock, logger: null, isInContainer);
        var service = made.Service;
        Wait.ForThreads(2, _ => service.Schedule(static _ => { }, null, TimeSpan.FromHours(1)));

        var snapshot = service.GetSnapshot();
        Assert.Equal((2, false), (snapshot.Queues, snapshot.IsVirtualTime));
        Assert.Equal(kind == "zone" ? s_zone : TimeZoneInfo.Local, service.TimeProvider.LocalTimeZone);
        if (kind.StartsWith("time of day", StringComparison.Ordinal))
        {
            Assert.Equal(s_businessTime, service.TimeProvider.GetUtcNow());
        }

        Assert.Equal(clock.TimestampFrequency, service.TimeProvider.TimestampFrequency);
        Assert.Equal(kind == "time of day and timestamps", service.TimeProvider.GetTimestamp() == 7);
    }

    // Failed before with the clock that has timestamps of its own, which stand still: no timer of the service fired.
    [Theory]
    [MemberData(nameof(Clocks))]
    public async Task Clock_MakesNoTimers_DelaysTakeRealTimeAsDotNetsDo(string kind, bool isInContainer)
    {
        var clock = NewClock(kind);
        await using var made = Make(clock, logger: null, isInContainer);
        var timers = made.Service;
        using var fired = new ManualResetEventSlim();

        Func<Task>[] waits =
        [
            () => Task.Delay(s_wait, clock),
            () => Task.Delay(s_wait, timers.TimeProvider),
            () => timers.Delay(s_wait).AsTask(),
            async () => Assert.True(await timers.TryDelay(s_wait)),
        ];
        foreach (var wait in waits)
        {
            var begun = Stopwatch.GetTimestamp();
            await Wait.For(wait(), "a delay in real time");

            // .NET's own timers may be early by the grain of their clock.
            Assert.True(Stopwatch.GetElapsedTime(begun) > s_wait / 2, "It has not waited.");
        }

        timers.Schedule(_ => fired.Set(), null, s_wait);
        Wait.For(fired, "a callback in real time");
    }

    // Failed before: that the time is virtual was told nowhere. That the clock drives it passed.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Clock_MakesTimers_DrivesTheServiceAndIsLoggedOnce(bool isInContainer)
    {
        var clock = new FakeTimeProvider();
        var logger = new FakeLogger<TimerService>();
        await using var made = Make(clock, logger, isInContainer);
        var control = Task.Delay(s_wait, clock, TestContext.Current.CancellationToken);
        var ours = made.Service.Delay(s_wait).AsTask();
        Wait.ForThread(() => made.Service.Schedule(static _ => { }, null, s_wait));
        Assert.False(control.IsCompleted || ours.IsCompleted);

        clock.Advance(s_wait);

        Assert.True(control.IsCompleted && ours.IsCompleted);
        var snapshot = made.Service.GetSnapshot();
        Assert.Equal((1, true), (snapshot.Queues, snapshot.IsVirtualTime));
        var line = Assert.Single(logger.Collector.GetSnapshot());
        Assert.Equal((4, LogLevel.Information), (line.Id.Id, line.Level));
        Assert.Contains(typeof(FakeTimeProvider).FullName!, line.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clock_IsADerivedFake_StillDrivesTheService()
    {
        await using var service = new TimerService(new(), clock: new DerivedFake());

        Assert.True(service.GetSnapshot().IsVirtualTime);
    }

    // A service may be the clock of another, as in a test of code that makes its own.
    [Fact]
    public async Task Clock_IsAnothersTimeProvider_DrivesTheService()
    {
        var clock = new ManualTimeProvider();
        await using var outer = new TimerService(new(), clock: clock);
        await using var service = new TimerService(new(), clock: outer.TimeProvider);
        var delay = service.Delay(s_wait).AsTask();

        clock.Advance(2 * s_wait);

        await Wait.For(delay, "the delay");
    }

    private static Made Make(TimeProvider clock, FakeLogger<TimerService>? logger, bool isInContainer)
    {
        if (!isInContainer)
        {
            var service = new TimerService(new(), clock: clock, logger: logger);
            return new Made(service, service);
        }

        var services = new ServiceCollection().AddLogging().AddSingleton(clock).AddScalableTimers();
        if (logger is not null)
        {
            services.AddSingleton<ILogger<TimerService>>(logger);
        }

        var provider = services.BuildServiceProvider();
        return new Made(provider.GetRequiredService<TimerService>(), provider);
    }

    private static TimeProvider NewClock(string kind) => kind switch
    {
        "time of day" => new OfTimeOfDay(),
        "zone" => new OfZone(),
        "time of day and timestamps" => new OfTimestamps(),
        "another service's" => new TimerService().TimeProvider,
        _ => new OfNothing(),
    };

    private sealed record Made(TimerService Service, IAsyncDisposable Owner) : IAsyncDisposable
    {
        public ValueTask DisposeAsync() => Owner.DisposeAsync();
    }

    private sealed class OfTimeOfDay : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => s_businessTime;
    }

    private sealed class OfZone : TimeProvider
    {
        public override TimeZoneInfo LocalTimeZone => s_zone;
    }

    private sealed class OfTimestamps : TimeProvider
    {
        public override DateTimeOffset GetUtcNow() => s_businessTime;

        public override long GetTimestamp() => 7;
    }

    private sealed class OfNothing : TimeProvider;

    private sealed class DerivedFake : FakeTimeProvider;
}
