using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.TestingHost;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>Silos and clients that are configured in other ways than by default, or that are killed.</summary>
public sealed class CallDiagnosticsOptionsTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void AddCallDiagnostics_Repeatedly_RegistersOnceAndConfiguresEachTime(bool silo)
    {
        using var host = silo
            ? TestHosts.Silo(static silo => silo.AddCallDiagnostics().AddCallDiagnostics(SetMethods))
            : TestHosts.Client(static client => client.AddCallDiagnostics().AddCallDiagnostics(SetMethods));

        Assert.Single(host.Services.GetServices<IOutgoingGrainCallFilter>().OfType<OutgoingDiagnosticsFilter>());
        Assert.Equal(
            silo ? 1 : 0,
            host.Services.GetServices<IIncomingGrainCallFilter>().OfType<IncomingDiagnosticsFilter>().Count());
        Assert.Single(
            host.Services.GetServices<IConfigurationValidator>().OfType<OptionsValidator<CallDiagnosticsOptions>>());
        Assert.Equal(
            7, host.Services.GetRequiredService<IOptions<CallDiagnosticsOptions>>().Value.MethodsInMetrics);
    }

    [Theory]
    [InlineData(nameof(CallDiagnosticsOptions.LongestDelay), "00:00:11")]
    [InlineData(nameof(CallDiagnosticsOptions.MethodsInMetrics), "-1")]
    [InlineData(nameof(CallDiagnosticsOptions.QueueTimeSampling), "-1")]
    public async Task Start_OptionOutOfItsRange_FailsNamingPropertyAndValue(string property, string value)
    {
        using var host = TestHosts.Silo(silo => silo.AddCallDiagnostics((CallDiagnosticsOptions options) =>
        {
            switch (property)
            {
                case nameof(CallDiagnosticsOptions.LongestDelay):
                    options.LongestDelay = TimeSpan.FromSeconds(11);
                    break;
                case nameof(CallDiagnosticsOptions.MethodsInMetrics):
                    options.MethodsInMetrics = -1;
                    break;
                default:
                    options.QueueTimeSampling = -1;
                    break;
            }
        }));

        var error = await Assert.ThrowsAsync<OrleansConfigurationException>(
            () => host.StartAsync(TestContext.Current.CancellationToken));

        Assert.Contains($"CallDiagnosticsOptions.{property} is {value};", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void RuntimeShape_ThisVersionOfOrleans_IsAsExpected() => Assert.NotNull(RuntimeShape.Current);

    [Fact]
    public async Task ResponseTimeout_CalleesSiloWasKilled_SaysWhatAskingItCameTo()
    {
        var log = new CollectedLog();
        await using var cluster = await Deploy(log, static options => options.LongestDelay = TimeSpan.FromSeconds(10));
        var (id, killed) = (Guid.NewGuid(), cluster.Silos[1]);
        await using var busy = await BusyGrain.Begin(killed, id);
        var grain = cluster.Silos[0].Grains().GetGrain<IDiagnosedGrain>(id);
        var isKilled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        LateThrow.Waits.Value = isKilled.Task;

        var call = grain.RunLong(Guid.NewGuid());
        await Task.Delay(TimeSpan.FromSeconds(2), TestContext.Current.CancellationToken);
        await cluster.KillSiloAsync(killed).Guarded("the silo is killed");
        isKilled.SetResult();

        var error = await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call ends"));
        var entry = Assert.Single(log.Of(grain));
        TestContext.Current.TestOutputHelper?.WriteLine(entry.Text);
        Assert.Contains((string)entry.Fields["explanation"]!, error.Message, StringComparison.Ordinal);
        Assert.Contains($"Silo {killed.SiloAddress.ToParsableString()} is ", entry.Text, StringComparison.Ordinal);
        Assert.Null(entry.Fields["queuedSeconds"]);
        Assert.Null(entry.Fields["ranSeconds"]);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Options_NoDelayOrNoQuestion_ExceptionComesAtOnceOrNobodyIsAsked(bool isDelayZero)
    {
        var log = new CollectedLog();
        await using var cluster = await Deploy(log, options =>
        {
            options.LongestDelay = TimeSpan.FromSeconds(isDelayZero ? 0 : 10);
            options.QuestionTimeout = TimeSpan.FromSeconds(isDelayZero ? 5 : 0);
        });
        await using var busy = await BusyGrain.Begin(cluster.Silos[0], Guid.NewGuid());

        var error = await Assert.ThrowsAsync<TimeoutException>(() => busy.Grain.RunInTime(Guid.NewGuid()));

        await Eventually.True(() => log.Of(busy.Grain).Count == 1, "the timeout is logged");
        var text = log.Of(busy.Grain)[0].Text;
        Assert.Contains(isDelayZero ? "waiting for its turn" : "was not asked", text, StringComparison.Ordinal);
        Assert.Equal(isDelayZero, error.InnerException is null);
        Assert.Equal(!isDelayZero, error.Message.Contains("was not asked", StringComparison.Ordinal));
    }

    [Fact]
    public async Task ResponseTimeout_ManyAtOnce_OnlySomeAreAskedAbout()
    {
        const int Calls = 300;
        var log = new CollectedLog();
        await using var cluster = await Deploy(log, static _ => { });
        await using var busy = await BusyGrain.Begin(cluster.Silos[0], Guid.NewGuid());
        var grain = cluster.Silos[1].Grains().GetGrain<IDiagnosedGrain>(busy.Grain.GetPrimaryKey());

        var calls = Enumerable.Range(0, Calls).Select(_ => grain.RunInTime(Guid.NewGuid())).ToList();
        foreach (var call in calls)
        {
            await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call ends"));
        }

        await Eventually.True(() => log.Of(grain).Count == Calls, "all timeouts are logged");
        Assert.Contains(
            log.Of(grain),
            static entry => entry.Text.Contains("waiting for its turn", StringComparison.Ordinal));
    }

    // When the message of each call was looked for, and the last 1,024 of them were remembered, the last calls ended
    // seconds late, and most calls were explained again by their response timeouts.
    [Fact]
    public async Task CallTimeout_ManyAtOnce_FewAreLookedForAndEachIsExplainedOnce()
    {
        const int Calls = 3000;
        var log = new CollectedLog();
        await using var cluster = await Deploy(log, static options => options.LongestDelay = TimeSpan.FromSeconds(10));
        await using var busy = await BusyGrain.Begin(cluster.Silos[0], Guid.NewGuid());
        var grain = cluster.Silos[1].Grains().GetGrain<IDiagnosedGrain>(busy.Grain.GetPrimaryKey());
        var timers = DiagnosticSilos.TimersOf(cluster.Silos[1]);

        var calls = Enumerable.Range(0, Calls).Select(_ => grain.RunInTime(Guid.NewGuid())).ToList();
        var bounded = calls.Select(call => timers.WithTimeout(call, TimeSpan.FromMilliseconds(500))).ToList();
        foreach (var call in bounded.Concat(calls))
        {
            await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the call ends"));
        }

        await Eventually.True(() => log.Of(grain).Count >= Calls, "all timeouts are logged");
        Assert.Equal(Calls, log.Of(grain).Count);
        Assert.Contains(
            log.Of(grain), static entry => entry.Text.Contains("was not found, or too many", StringComparison.Ordinal));
        Assert.Contains(
            log.Of(grain), static entry => entry.Text.Contains("waiting for its turn", StringComparison.Ordinal));
    }

    // When the message was remembered and not the request, the second try was explained too.
    [Fact]
    public async Task CallTimeout_FilterTriesAgainAfterwards_IsExplainedOnce()
    {
        var log = new CollectedLog();
        await using var cluster = await Deploy(
            log,
            static options => options.LongestDelay = TimeSpan.FromSeconds(10),
            static silo => silo.AddOutgoingGrainCallFilter(RetryingFilter.Invoke));
        await using var busy = await BusyGrain.Begin(cluster.Silos[0], Guid.NewGuid());
        var grain = cluster.Silos[1].Grains().GetGrain<IDiagnosedGrain>(busy.Grain.GetPrimaryKey());

        var call = grain.RunInTime(Guid.NewGuid());
        await Assert.ThrowsAsync<TimeoutException>(
            () => DiagnosticSilos.TimersOf(cluster.Silos[1]).WithTimeout(call, TimeSpan.FromMilliseconds(500)));
        await Assert.ThrowsAsync<TimeoutException>(() => call.Guarded("the second try ends"));

        Assert.Equal("call_timeout", Assert.Single(log.Of(grain)).Fields["cause"]);
    }

    // The question ended with an exception that nobody observed.
    [Fact]
    public async Task ResponseTimeout_QuestionFailsTooLate_ItsExceptionIsObserved()
    {
        var (log, denied) = (new CollectedLog(), $"denied {Guid.NewGuid()}");
        var answered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var unobserved = new ConcurrentQueue<string>();
        TaskScheduler.UnobservedTaskException += Collect;
        await using var cluster = await Deploy(
            log,
            static options => options.QuestionTimeout = TimeSpan.FromMilliseconds(1),
            silo => silo.AddIncomingGrainCallFilter(async context =>
            {
                if (context.MethodName.StartsWith("SendControlCommandToProvider", StringComparison.Ordinal))
                {
                    await answered.Task;
                    throw new InvalidOperationException(denied);
                }

                await context.Invoke();
            }));
        await using var busy = await BusyGrain.Begin(cluster.Silos[0], Guid.NewGuid());
        var grain = cluster.Silos[1].Grains().GetGrain<IDiagnosedGrain>(busy.Grain.GetPrimaryKey());

        await Assert.ThrowsAsync<TimeoutException>(() => grain.RunInTime(Guid.NewGuid()));
        await Eventually.True(() => log.Of(grain).Count == 1, "the timeout is logged");
        answered.SetResult();
        for (var i = 0; i < 10; i++)
        {
            await Task.Delay(300, TestContext.Current.CancellationToken);
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        TaskScheduler.UnobservedTaskException -= Collect;
        Assert.Contains("did not answer in", log.Of(grain)[0].Text, StringComparison.Ordinal);
        Assert.DoesNotContain(unobserved, text => text.Contains(denied, StringComparison.Ordinal));

        void Collect(object? sender, UnobservedTaskExceptionEventArgs unseen) =>
            unobserved.Enqueue(unseen.Exception.ToString());
    }

    private static void SetMethods(CallDiagnosticsOptions options) => options.MethodsInMetrics = 7;

    private static async Task<InProcessTestCluster> Deploy(
        CollectedLog log, Action<CallDiagnosticsOptions> configure, Action<ISiloBuilder>? addFilter = null)
    {
        var builder = new InProcessTestClusterBuilder(initialSilosCount: 2);
        builder.Options.ConfigureFileLogging = false;
        builder.Options.InitializeClientOnDeploy = false;
        builder.ConfigureSilo((_, silo) =>
        {
            silo.Services.AddSingleton<ILoggerProvider>(log);
            silo.AddCallDiagnostics(configure).AddOutgoingGrainCallFilter(LateThrow.Invoke);
            addFilter?.Invoke(silo);
        });
        var cluster = builder.Build();
        await cluster.DeployAsync();
        return cluster;
    }
}
