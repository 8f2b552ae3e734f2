using System.Collections.Concurrent;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Orleans.Storage;
using Orleans.TestingHost;
using Orleans.TestingHost.Logging;
using Orleans.Timers.Scalable.Transactions.Phases;
using Orleans.Timers.Scalable.Transactions.ProtocolFixes;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using ScalableTimers;
using ScalableTimers.Clock;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Two silos and a client in which the plugin is turned off. What it adds still works.</summary>
public sealed class TurnedOffSilosTests
{
    private static readonly TimeSpan s_short = TimeSpan.FromMilliseconds(50);

    // Seen to fail with an IsOff of false: the services had timers.
    [Fact]
    public async Task PublicApi_TurnedOff_WorksWithoutTheServicesTimers()
    {
        await using var cluster = await Clusters.Deploy(
            silos: 2,
            static (_, silo) => silo
                .AddMemoryGrainStorage(AccountGrain.Storage)
                .UseTransactions()
                .Configure<OrleansTimerOptions>(static options => options.Enabled = false)
                .AddCallCancellation(),
            static client => client
                .Configure<OrleansTimerOptions>(static options => options.Enabled = false)
                .AddCallCancellation());
        foreach (var silo in cluster.Silos)
        {
            var grain = silo.NewGrain();
            await grain.Run(static async self =>
            {
                await self.Delays.Delay(s_short);
                await self.Delays.DelayIgnoringDeactivation(s_short);
                Assert.True(await self.Delays.TryDelay(s_short));
            }).Guarded("the delays end");
            var ended = Assert.IsType<TaskCanceledException>(await EndOfACall(cluster, grain));
            Assert.Contains("is being deactivated", ended.Message, StringComparison.Ordinal);
        }

        var other = cluster.Client.GetGrain<ITimedGrain>(Guid.NewGuid());
        var timers = cluster.Client.ServiceProvider.GetRequiredService<TimerService>();
        await Assert.ThrowsAsync<TimeoutException>(
            () => timers.WithTimeout(other.Wait(Guid.NewGuid()), s_short).Guarded("the call times out"));

        Assert.All(
            cluster.Silos.Select(static silo => silo.Timers()).Append(timers),
            static service => Assert.Equal(0, service.GetSnapshot().Scheduled));
        await cluster.StopAllSilosAsync().Guarded("the silos stop");
    }

    // Whoever turns the plugin off wants to know whether it is to blame. Seen to fail when decorators ignored the
    // switch, and each line holds the other way round with the plugin on.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Registrations_TurnedOffByTheConfiguration_PassThroughToOrleans(bool isOn)
    {
        var writes = new ConcurrentQueue<string>();
        InMemoryLogBuffer[] logs = [new(), new()];
        await using var cluster = await Clusters.Deploy(silos: 2, (number, silo) =>
        {
            ((IConfigurationBuilder)silo.Configuration).AddInMemoryCollection(
                [new("ScalableTimers:Enabled", $"{isOn}")]);
            silo.Services.AddLogging(logging => logging.AddProvider(new InMemoryLoggerProvider(logs[number])));
            silo.AddMemoryGrainStorage(AccountGrain.Storage)
                .AddIncomingGrainCallFilter(call => Note(call, writes))
                .UseTransactions()
                .AddCallCancellation()
                .ConfigureTransactionPhases(static phases =>
                {
                    phases.UseFastRecovery = true;
                    phases.Deadline = TimeSpan.FromMilliseconds(200);
                });
        }).Guarded("the silos start");

        for (var number = 0; number < 2; number++)
        {
            var services = cluster.Silo(number).ServiceProvider;
            Assert.Equal(isOn, services.GetRequiredService<ITransactionAgent>() is PhasedTransactionAgent);
            Assert.Equal(
                isOn, services.GetRequiredService<ITransactionalStateFactory>() is TransactionalStates);
            Assert.Equal(
                isOn,
                services.GetRequiredKeyedService<IGrainExtension>(typeof(ITransactionManagerExtension))
                    is PresumedAborts);
            Assert.Equal(
                isOn ? 2 : 8,
                services.GetRequiredService<IOptions<TransactionalStateOptions>>().Value.LockTimeout.Seconds);
            var report = Assert.Single(
                logs[number].AllEntries, static entry => entry.Category == "ScalableTimers.Orleans.StartReport");
            Assert.Equal(isOn ? 1 : 2, report.EventId.Id);
            Assert.Equal(
                !isOn, report.Message.Contains("nor cancel tokens, an aborted transaction", StringComparison.Ordinal));
        }

        // A fenced state is written when it is loaded, even if nothing commits. The deadline aborts what takes longer.
        var accounts = new TwoAccounts(cluster.Silo(0).Grains());
        await Assert.ThrowsAnyAsync<OrleansTransactionAbortedException>(() => Transfer(fail: true));
        Assert.Equal(isOn ? 1 : 0, writes.Count);
        Assert.Equal(isOn, await Record.ExceptionAsync(() => Transfer(fail: false)) is not null);
        await accounts.AssertMoved(isOn ? 0 : 10);

        var grain = await cluster.Silo(0).Grains().NewGrainIn(cluster.Silo(1));
        var calls = await cluster.Silo(0).NewGrain().Get(self => CallUnderADeadline(grain.Seen(self)));
        Assert.Equal(isOn, await Record.ExceptionAsync(() => calls) is TimeoutException);
        Assert.IsType(
            isOn ? typeof(SiloUnavailableException) : typeof(TaskCanceledException), await EndOfACall(cluster, grain));
        await cluster.StopAllSilosAsync().Guarded("the silos stop");

        Task Transfer(bool fail) => cluster.Silo(0).Grains().GetGrain<ITransferGrain>(0)
            .Transfer(accounts.From, accounts.To, 10, 5 * s_short, fail)
            .Guarded("the transaction ends");

        static async Task CallUnderADeadline(IScriptedGrain grain)
        {
            using (CallDeadline.Begin(TimeSpan.Zero))
            {
                Assert.Null(await DeadlineCalls.HeaderIn(grain));
            }
        }
    }

    // Seen to fail with .NET's timers on the system's clock, and with one timer for the whole delay.
    [Fact]
    public async Task DelaysAndTimeouts_OnAFakeClock_ElapseHoweverLongTheyAre()
    {
        var clock = new ManualTimeProvider();
        await using var cluster = await Clusters.Deploy(silos: 1, (_, silo) => silo
            .AddScalableTimers()
            .Configure<OrleansTimerOptions>(static options => options.Enabled = false)
            .Services.AddKeyedSingleton<TimeProvider>(TimeProviderNames.Grains, clock));
        var silo = cluster.Silo(0);
        var dueTime = DueTime.MaxTimer + TimeSpan.FromDays(10);

        var delay = await silo.NewGrain().BeginWait(self => self.Delays.Delay(dueTime));
        var call = silo.Timers().WithTimeout(new TaskCompletionSource().Task, TimeSpan.FromDays(1));
        while (!delay.IsCompleted)
        {
            clock.Advance(TimeSpan.FromDays(1));
            await Task.Delay(s_short / 10, TestContext.Current.CancellationToken);
        }

        await delay;
        Assert.InRange(clock.Elapsed, dueTime, dueTime * 2);
        await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call has timed out"));
        await cluster.StopAllSilosAsync().Guarded("the silo stops");
    }

    /// <summary>What a caller gets when the delay that it waits for ends with its activation.</summary>
    private static async Task<Exception?> EndOfACall(InProcessTestCluster cluster, IScriptedGrain grain)
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var script = Scripts.Leave(async self =>
        {
            begun.SetResult();
            await self.Delays.Delay(Timeout.InfiniteTimeSpan);
        });
        var call = grain.RunScript(script);
        await begun.Task.Guarded("the delay begins");
        Assert.True(cluster.TryGetGrainContext(grain.GetGrainId(), out var activation));
        activation.BeginDeactivation();
        return await Record.ExceptionAsync(() => call.Guarded("the call ends"));
    }

    private static Task Note(IIncomingGrainCallContext call, ConcurrentQueue<string> writes)
    {
        if (call.Request.GetInterfaceType() == typeof(IMemoryStorageGrain)
            && call.MethodName.StartsWith("Write", StringComparison.Ordinal))
        {
            writes.Enqueue((string)call.Request.GetArgument(0)!);
        }

        return call.Invoke();
    }
}
