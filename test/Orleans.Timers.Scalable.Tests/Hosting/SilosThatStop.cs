using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Orleans.TestingHost;
using ScalableTimers;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>
/// Three silos. One is stopped while thousands of calls wait in it, and one is stopped and disposed.
/// </summary>
public sealed class SilosThatStop : IAsyncLifetime
{
    internal const int WaitingGrains = 500;
    internal const int DelaysInEachGrain = 10;
    internal const int LoopingGrains = 20;
    internal static readonly TimeSpan LateDueTime = TimeSpan.FromMilliseconds(100);
    internal static readonly TimeSpan Farewell = TimeSpan.FromMilliseconds(150);

    private readonly InProcessTestCluster _cluster = Clusters.Build(
        silos: 3, static (_, silo) => silo.AddScalableTimers(), static client => client.AddScalableTimers());

    /// <summary>A silo that has been stopped. Its services are still there.</summary>
    internal InProcessSiloHandle Stopped { get; private set; } = null!;

    internal TimerService StoppedTimers => Stopped.Timers();

    internal TimerService DisposedTimers { get; private set; } = null!;

    /// <summary>
    /// The exceptions that ended the delays in the waiting grains. Null means that the time had passed.
    /// </summary>
    internal ConcurrentBag<Exception?> Ends { get; } = [];

    /// <summary>How many delays were cancelled in grains that go on until their activation deactivates.</summary>
    internal int CancelledInLoops;

    /// <summary>How the retry loop of a grain ended.</summary>
    internal TaskCompletionSource<Exception?> RetryLoop { get; } = new();

    /// <summary>
    /// How long the deactivation of a grain took, and whether the silo had given up waiting for it by then.
    /// </summary>
    internal TaskCompletionSource<(TimeSpan Took, bool WasHurried)> Leave { get; } = new();

    /// <summary>How a delay ended that was begun by a grain that deactivated with the silo.</summary>
    internal TaskCompletionSource<(Exception? Error, TimeSpan Took)> LateDelay { get; } = new();

    /// <summary>Whether delays of .NET and of the service had ended when a grain deactivated with the silo.</summary>
    internal TaskCompletionSource<(bool OfNet, bool OfTheService)> EndedWithTheGrains { get; } = new();

    /// <summary>A delay of the service that was pending when the silo stopped.</summary>
    internal Task<bool> ServiceDelay { get; private set; } = null!;

    internal TimeSpan StopTook { get; private set; }

    /// <summary>The delays of a grain in a silo that has been stopped and disposed.</summary>
    internal IGrainDelay DisposedDelays { get; private set; } = null!;

    /// <summary>How a delay that ignores deactivation ended when its silo was disposed.</summary>
    internal Exception? IgnoringDelayAcrossDisposal { get; private set; }

    /// <summary>How a delay of a client's service ended when the client stopped.</summary>
    internal Exception? ClientDelay { get; private set; }

    public async ValueTask InitializeAsync()
    {
        await _cluster.DeployAsync();
        Stopped = _cluster.Silos[1];
        await StopWhileCallsWait();

        await StopAndDispose(_cluster.Silos[2]);

        var delay = _cluster.Client.ServiceProvider.GetRequiredService<TimerService>()
            .Delay(Timeout.InfiniteTimeSpan)
            .AsTask();
        await _cluster.StopClusterClientAsync();
        ClientDelay = await Record.ExceptionAsync(() => delay.Guarded("a delay of a stopped client ends"));
    }

    public async ValueTask DisposeAsync() => await _cluster.DisposeAsync();

    private async Task StopWhileCallsWait()
    {
        var waiting = Enumerable.Range(0, WaitingGrains).Select(_ => BeginWaiting(Stopped.NewGrain()));
        await Task.WhenAll(waiting).Guarded("thousands of delays begin");
        await BeginRetrying(Stopped.NewGrain());
        await Task.WhenAll(Enumerable.Range(0, LoopingGrains).Select(_ => BeginLooping(Stopped.NewGrain())));
        await AwaitLeave(Stopped.NewGrain());
        ServiceDelay = StoppedTimers.TryDelay(Timeout.InfiniteTimeSpan).AsTask();

        var start = Stopwatch.GetTimestamp();
        await Stopped.StopSiloAsync(stopGracefully: true).Guarded("the silo stops although calls wait in it");
        StopTook = Stopwatch.GetElapsedTime(start);
    }

    private async Task StopAndDispose(InProcessSiloHandle silo)
    {
        DisposedTimers = silo.Timers();
        await silo.NewGrain().Run(self =>
        {
            DisposedDelays = self.Delays;
            return Task.CompletedTask;
        });

        // The delay begins outside any call, so that it delays none.
        var ignoring = DisposedDelays.DelayIgnoringDeactivation(Timeout.InfiniteTimeSpan).AsTask();
        await silo.StopSiloAsync(stopGracefully: true).Guarded("a silo stops");
        Assert.False(ignoring.IsCompleted);
        await silo.DisposeAsync();
        IgnoringDelayAcrossDisposal = await Record.ExceptionAsync(
            () => ignoring.Guarded("the delay ends with its silo"));
    }

    private async Task BeginWaiting(IScriptedGrain grain)
    {
        var call = await grain.BeginWait(async self =>
        {
            var ends = Enumerable.Range(0, DelaysInEachGrain).Select(_ => Record.ExceptionAsync(Wait)).ToList();
            foreach (var end in ends)
            {
                Ends.Add(await end);
            }

            async Task Wait() => await self.Delays.Delay(TimeSpan.FromHours(1));
        });
        call.Ignore();
    }

    private async Task BeginLooping(IScriptedGrain grain)
    {
        var call = await grain.BeginWait(async self =>
        {
            while (!self.Delays.DeactivationToken.IsCancellationRequested)
            {
                try
                {
                    await self.Delays.Delay(TimeSpan.FromHours(1));
                }
                catch (OperationCanceledException)
                {
                    Interlocked.Increment(ref CancelledInLoops);
                }
            }
        });
        call.Ignore();
    }

    private async Task BeginRetrying(IScriptedGrain grain)
    {
        var call = await grain.BeginWait(async self => RetryLoop.SetResult(await Record.ExceptionAsync(async () =>
        {
            while (true)
            {
                await self.Delays.Delay(TimeSpan.FromMilliseconds(1));
            }
        })));
        call.Ignore();
    }

    private Task AwaitLeave(IScriptedGrain grain)
    {
        var ofNet = Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
        grain.On(GrainMoment.Deactivation, async (self, cancellationToken) =>
        {
            EndedWithTheGrains.SetResult((ofNet.IsCompleted, ServiceDelay.IsCompleted));
            var start = Stopwatch.GetTimestamp();
            var late = await Record.ExceptionAsync(
                async () => await self.Delays.Delay(LateDueTime, CancellationToken.None));
            LateDelay.SetResult((late, Stopwatch.GetElapsedTime(start)));
            start = Stopwatch.GetTimestamp();
            await self.Delays.DelayIgnoringDeactivation(Farewell, cancellationToken);
            Leave.SetResult((Stopwatch.GetElapsedTime(start), cancellationToken.IsCancellationRequested));
        });
        return grain.Activate();
    }
}
