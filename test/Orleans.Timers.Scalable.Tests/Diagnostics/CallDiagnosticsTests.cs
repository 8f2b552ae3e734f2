using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;

namespace Orleans.Timers.Scalable.Tests;

/// <summary>What a caller, the log, metrics and spans are told of a call that has timed out.</summary>
public sealed class CallDiagnosticsTests(DiagnosticSilos silos) : IClassFixture<DiagnosticSilos>
{
    private const string Blocker = "IScriptedGrain.RunScript";
    private static readonly TimeSpan s_responseTimeout = TimeSpan.FromSeconds(1.5);
    private static readonly TimeSpan s_callTimeout = TimeSpan.FromSeconds(1);

    private readonly Guid _id = Guid.NewGuid();

    public enum Caller
    {
        Client,
        SameSilo,
        OtherSilo,
    }

    public enum Form
    {
        Scope,
        WithTimeout,
        WithTimeoutAndToken,
    }

    [Theory]
    [InlineData(Caller.Client)]
    [InlineData(Caller.SameSilo)]
    [InlineData(Caller.OtherSilo)]
    public async Task ResponseTimeout_RequestWaitsInABusyGrainsQueue_NamesTheBlockingRequest(Caller caller)
    {
        using var metrics = new CollectedMetrics();
        await using var busy = await BusyGrain.Begin(silos.First, _id);
        var grain = FactoryOf(caller).GetGrain<IDiagnosedGrain>(_id);

        var error = await TimeoutOf(() => grain.RunInTime(Guid.NewGuid()));

        Assert.StartsWith("Response did not arrive on time in 00:00:01.5", error.Message, StringComparison.Ordinal);
        Tells("has been waiting for its turn on silo", error);
        Tells(Blocker, error);
        Assert.NotNull(error.InnerException);
        var entry = Assert.Single(silos.Log.Of(grain));
        TestContext.Current.TestOutputHelper?.WriteLine(entry.Text);
        Assert.Equal("response_timeout", entry.Fields["cause"]);
        Assert.EndsWith($"{nameof(IDiagnosedGrain)}", (string)entry.Fields["service"]!, StringComparison.Ordinal);
        Assert.Equal(nameof(IDiagnosedGrain.RunInTime), entry.Fields["method"]);
        Assert.Equal(silos.First.SiloAddress.ToParsableString(), entry.Fields["silo"]);
        Assert.InRange((double)entry.Fields["queuedSeconds"]!, 1.4, 15);
        Assert.Contains(Blocker, (string)entry.Fields["blocker"]!, StringComparison.Ordinal);
        Assert.InRange((double)entry.Fields["blockerSeconds"]!, 1.4, 15);
        Assert.Null(entry.Fields["ranSeconds"]);
        Assert.Equal(0, entry.Fields["forwards"]);
        Assert.Single(
            metrics.Of(CallMetrics.TimeoutsName, nameof(IDiagnosedGrain.RunInTime), TimedOutCall.ResponseTimeout));

        // A call that another test has given up may end now, too.
        Assert.Contains(
            metrics.Of(CallMetrics.DurationName, nameof(IDiagnosedGrain.RunInTime)),
            static seconds => seconds is >= 1.4 and <= 15);
    }

    [Theory]
    [InlineData(Caller.Client)]
    [InlineData(Caller.OtherSilo)]
    public async Task ResponseTimeout_RequestRunsTooLong_TellsHowLong(Caller caller)
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await silos.First.Grains().GetGrain<IDiagnosedGrain>(_id).Activate();
        var grain = FactoryOf(caller).GetGrain<IDiagnosedGrain>(_id);

        var error = await TimeoutOf(() => grain.RunLong(Scripts.Leave(_ => release.Task)));

        Tells("has been running on silo", error);
        Assert.DoesNotContain("The grain has been running", error.Message, StringComparison.Ordinal);
        var entry = Assert.Single(silos.Log.Of(grain));
        TestContext.Current.TestOutputHelper?.WriteLine(entry.Text);
        Assert.InRange((double)entry.Fields["ranSeconds"]!, 1.3, 15);
        release.SetResult();
    }

    [Fact]
    public async Task ResponseTimeout_AnswerCameTooLate_SaysSo()
    {
        var (timeout, ended) = (
            new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously),
            new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        await silos.First.Grains().GetGrain<IDiagnosedGrain>(_id).Activate();
        var grain = silos.Second.Grains().GetGrain<IDiagnosedGrain>(_id);
        LateThrow.Waits.Value = ended.Task;

        var call = TimeoutOf(() => grain.RunLong(Scripts.Leave(_ => timeout.Task)));
        await Task.Delay(s_responseTimeout * 1.2, TestContext.Current.CancellationToken);
        timeout.SetResult();
        await grain.Activate();
        ended.SetResult();

        Tells("its answer came too late", await call);
        TestContext.Current.TestOutputHelper?.WriteLine(Assert.Single(silos.Log.Of(grain)).Text);
    }

    [Theory]
    [InlineData(Form.Scope)]
    [InlineData(Form.WithTimeout)]
    [InlineData(Form.WithTimeoutAndToken)]
    public async Task CallTimeout_RequestWaits_IsExplainedOnce(Form form)
    {
        using var metrics = new CollectedMetrics();
        await using var busy = await BusyGrain.Begin(silos.First, _id);
        var grain = silos.Second.Grains().GetGrain<IDiagnosedGrain>(_id);

        var error = await TimeoutOf(() => Bounded(form, grain));

        Assert.StartsWith("Response did not arrive on time in 00:00:01", error.Message, StringComparison.Ordinal);
        Tells("has been waiting for its turn on silo", error);
        Tells(Blocker, error);

        // Orleans' own timeout of the same call follows.
        await Task.Delay(s_responseTimeout, TestContext.Current.CancellationToken);
        var entry = Assert.Single(silos.Log.Of(grain));
        TestContext.Current.TestOutputHelper?.WriteLine(entry.Text);
        Assert.Equal("call_timeout", entry.Fields["cause"]);
        Assert.Equal(nameof(IDiagnosedGrain.RunInTime), entry.Fields["method"]);
        Assert.Equal(0, entry.Fields["retries"]);
        Assert.Single(
            metrics.Of(CallMetrics.TimeoutsName, nameof(IDiagnosedGrain.RunInTime), TimedOutCall.CallTimeout));
        Assert.Empty(
            metrics.Of(CallMetrics.TimeoutsName, nameof(IDiagnosedGrain.RunInTime), TimedOutCall.ResponseTimeout));
    }

    [Fact]
    public async Task CallTimeout_GrainIsAStatelessWorker_SaysThatItIsNotKnown()
    {
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var grain = silos.First.Grains().GetGrain<IScriptedWorker>(_id);

        var error = await TimeoutOf(async () =>
        {
            using (CallTimeout.Begin(s_callTimeout))
            {
                await grain.RunScript(Scripts.Leave(_ => release.Task));
            }
        });

        release.SetResult();
        Tells("of the grain does is not known.", error);
        Assert.DoesNotContain("has not arrived", error.Message, StringComparison.Ordinal);
    }

    // It said that the request had waited for 0 s at most.
    [Fact]
    public async Task WithTimeout_CallBeganEarlier_SaysNothingOfTheTimeBefore()
    {
        var (begun, release) = (
            new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously),
            new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        var busy = await BusyGrain.Begin(silos.First, _id);
        var call = silos.Second.Grains().GetGrain<IDiagnosedGrain>(_id).RunScript(Scripts.Leave(_ =>
        {
            begun.SetResult();
            return release.Task;
        }));
        await Task.Delay(TimeSpan.FromMilliseconds(500), TestContext.Current.CancellationToken);
        await busy.DisposeAsync();
        await begun.Task.Guarded("the request is run");

        var error = await TimeoutOf(
            () => DiagnosticSilos.TimersOf(silos.Second).WithTimeout(call, TimeSpan.FromMilliseconds(50)));

        release.SetResult();
        await call.Guarded("the call ends");
        Tells("has been running on silo", error);
        Tells("Before, the grain ran ", error);
        Assert.DoesNotContain("at most", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task WithTimeout_TaskIsNoCall_SaysThatItIsNotKnown()
    {
        var never = new TaskCompletionSource();

        var error = await TimeoutOf(
            () => DiagnosticSilos.TimersOf(silos.First).WithTimeout(never.Task, TimeSpan.FromMilliseconds(50)));

        Tells("The message of the call is not known", error);
    }

    [Fact]
    public async Task Deadline_CallIsRefusedByItsCaller_TellsWhatTheCallerDoes()
    {
        using var metrics = new CollectedMetrics();
        var caller = silos.First.Grains().GetGrain<IDiagnosedGrain>(_id);
        var callee = Guid.NewGuid();

        await caller.Run(async self =>
        {
            var grain = self.Services.GetRequiredService<IGrainFactory>().GetGrain<IDiagnosedGrain>(callee);
            using (GrainDeadline.Begin(TimeSpan.Zero))
            {
                var error = await TimeoutOf(() => grain.Echo(1));
                Tells("was not sent", error);
                Assert.Contains($"The grain has been running {Blocker}", Short(error), StringComparison.Ordinal);
            }

            Assert.Equal("caller", Assert.Single(silos.Log.Of(grain)).Fields["side"]);
        });

        Assert.Single(metrics.Of(CallMetrics.TimeoutsName, nameof(IDiagnosedGrain.Echo), TimedOutCall.Deadline));
    }

    [Theory]
    [InlineData(Caller.Client)]
    [InlineData(Caller.OtherSilo)]
    public async Task Deadline_RequestIsRefusedByItsCallee_TellsHowLongItWaitedAndForWhat(Caller caller)
    {
        using var metrics = new CollectedMetrics();
        using var span = new CallersSpan();
        await using var busy = await BusyGrain.Begin(silos.First, _id);
        var grain = FactoryOf(caller).GetGrain<IDiagnosedGrain>(_id);
        Task<int> call;
        using (GrainDeadline.Begin(TimeSpan.FromMilliseconds(300)))
        {
            call = grain.Echo(1);
        }

        await Task.Delay(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
        await busy.DisposeAsync();

        var error = await TimeoutOf(() => call);
        Tells("was not run", error);
        Tells("waited for its turn: at least", error);
        Tells("Before, the grain ran ", error);
        Tells(Blocker, error);
        var entry = Assert.Single(silos.Log.Of(grain));
        TestContext.Current.TestOutputHelper?.WriteLine(entry.Text);
        Assert.Equal("callee", entry.Fields["side"]);
        Assert.InRange((double)entry.Fields["queuedSeconds"]!, 0.5, 15);
        Assert.Single(metrics.Of(CallMetrics.TimeoutsName, nameof(IDiagnosedGrain.Echo), TimedOutCall.Deadline));
        Assert.Equal(TimedOutCall.Deadline, Assert.Single(span.Events).Tags.ToDictionary()[CallMetrics.Cause]);
    }

    // The long request was named, which had ended long before the call began.
    [Fact]
    public async Task Deadline_RequestWaitedForItsActivation_NamesNoRequestThatEndedBefore()
    {
        var grain = silos.First.Grains().GetGrain<IDiagnosedGrain>(_id);
        grain.On(GrainMoment.Activation, static (_, cancellation) => Task.Delay(s_callTimeout, cancellation));
        var end = TimeProvider.System.GetTimestamp() - (60 * TimeProvider.System.TimestampFrequency);
        silos.First.ServiceProvider.GetRequiredService<EndedRequests>().Add(
            new EndedRequest(grain.GetGrainId(), null, null, Blocker, s_callTimeout, end));

        using (GrainDeadline.Begin(TimeSpan.FromMilliseconds(300)))
        {
            var error = await TimeoutOf(() => grain.Echo(1));
            Tells("waited for its turn: at least", error);
            Assert.DoesNotContain("Before, the grain ran", error.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Timeout_CallerHasASpan_IsAnEventOfIt(bool isCallTimeout)
    {
        using var span = new CallersSpan();
        await using var busy = await BusyGrain.Begin(silos.First, _id);
        var grain = silos.Client.GetGrain<IDiagnosedGrain>(_id);

        await TimeoutOf(() => isCallTimeout ? Bounded(Form.Scope, grain) : grain.RunInTime(Guid.NewGuid()));

        var told = Assert.Single(span.Events);
        Assert.Equal(CallDiagnostics.EventName, told.Name);
        var tags = told.Tags.ToDictionary();
        Assert.Equal(
            isCallTimeout ? TimedOutCall.CallTimeout : TimedOutCall.ResponseTimeout, tags[CallMetrics.Cause]);
        Assert.Equal(nameof(IDiagnosedGrain.RunInTime), tags[CallMetrics.Method]);
        Assert.Contains(Blocker, (string)tags["explanation"]!, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(Caller.Client)]
    [InlineData(Caller.OtherSilo)]
    public async Task ResponseTimeout_CalleesSiloHasNoDiagnostics_SaysSo(Caller caller)
    {
        await using var busy = await BusyGrain.Begin(silos.Stock, _id);
        var grain = FactoryOf(caller).GetGrain<IDiagnosedGrain>(_id);

        var error = await TimeoutOf(() => grain.RunInTime(Guid.NewGuid()));

        Tells("has no diagnostics.", error);
        TestContext.Current.TestOutputHelper?.WriteLine(Assert.Single(silos.Log.Of(grain)).Text);
    }

    [Fact]
    public async Task ResponseTimeout_CalleePassesATimeoutOfItsOwnOn_IsNotExplainedTwice()
    {
        await using var busy = await BusyGrain.Begin(silos.First, _id);
        var middle = silos.Second.Grains().GetGrain<IDiagnosedGrain>(Guid.NewGuid());

        var error = await Assert.ThrowsAsync<TimeoutException>(() => middle.Run(self =>
        {
            var grain = self.Services.GetRequiredService<IGrainFactory>().GetGrain<IDiagnosedGrain>(_id);
            return grain.RunInTime(Guid.NewGuid());
        }));

        Assert.Single(silos.Log.Of(busy.Grain));
        Assert.Empty(silos.Log.Of(middle));
        Assert.Equal(2, error.Message.Split("has been waiting for its turn").Length);
    }

    // The outer call had the same sender and the same target, and was said to have timed out too.
    [Fact]
    public async Task ResponseTimeout_GrainPassesOnATimeoutOfACallToItself_IsNotExplainedTwice()
    {
        var grain = silos.First.Grains().GetGrain<IDiagnosedGrain>(_id);

        var error = await Assert.ThrowsAsync<TimeoutException>(() => grain.RunScript(Scripts.Leave(async self =>
        {
            var same = self.Services.GetRequiredService<IGrainFactory>().GetGrain<IDiagnosedGrain>(_id);
            using (RequestContext.AllowCallChainReentrancy())
            {
                await same.RunScript(Scripts.Leave(async _ =>
                {
                    using (RequestContext.SuppressCallChainReentrancy())
                    {
                        await same.RunInTime(Guid.NewGuid());
                    }
                }));
            }
        })));

        Assert.Equal(nameof(IDiagnosedGrain.RunInTime), Assert.Single(silos.Log.Of(grain)).Fields["method"]);
        Assert.Equal(2, error.Message.Split("has been waiting for its turn").Length);
    }

    // It was said not to have arrived, or to have ended within 50 ms.
    [Fact]
    public async Task ResponseTimeout_RequestEndedAndIsForgotten_SaysThatThisMayBe()
    {
        var (ended, forgotten) = (
            new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously),
            new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        await silos.First.Grains().GetGrain<IDiagnosedGrain>(_id).Activate();
        var grain = silos.Second.Grains().GetGrain<IDiagnosedGrain>(_id);
        LateThrow.Waits.Value = forgotten.Task;

        var call = TimeoutOf(() => grain.RunLong(Scripts.Leave(_ => ended.Task)));
        await Task.Delay(s_responseTimeout * 1.2, TestContext.Current.CancellationToken);
        ended.SetResult();
        await grain.Activate();
        var all = silos.First.ServiceProvider.GetRequiredService<EndedRequests>();
        for (var i = 0; i < EndedRequests.Places; i++)
        {
            all.Add(new EndedRequest(default, null, null, string.Empty, EndedRequests.Long, 0));
        }

        forgotten.SetResult();
        Tells("or ended before the last 1024 long requests of the silo.", await call);
    }

    [Fact]
    public async Task QueueTime_RequestWaits_IsMeasured()
    {
        using var metrics = new CollectedMetrics();
        await using var busy = await BusyGrain.Begin(silos.First, _id);
        var call = silos.Client.GetGrain<IDiagnosedGrain>(_id).Echo(1);
        await Task.Delay(s_callTimeout, TestContext.Current.CancellationToken);
        await busy.DisposeAsync();
        await call.Guarded("the queued request is run");

        Assert.InRange(
            Assert.Single(metrics.Of(CallMetrics.QueueTimeName, nameof(IDiagnosedGrain.Echo))), 0.8, 15);
    }

    private IGrainFactory FactoryOf(Caller caller) => caller switch
    {
        Caller.Client => silos.Client,
        Caller.SameSilo => silos.First.Grains(),
        _ => silos.Second.Grains(),
    };

    private async Task Bounded(Form form, IDiagnosedGrain grain)
    {
        var timers = DiagnosticSilos.TimersOf(silos.Second);
        switch (form)
        {
            case Form.WithTimeout:
                await timers.WithTimeout(grain.RunInTime(Guid.NewGuid()), s_callTimeout);
                break;
            case Form.WithTimeoutAndToken:
                await timers.WithTimeout(_ => grain.RunInTime(Guid.NewGuid()), s_callTimeout);
                break;
            default:
                using (CallTimeout.Begin(s_callTimeout))
                {
                    await grain.RunInTime(Guid.NewGuid());
                }

                break;
        }
    }

    private static void Tells(string told, TimeoutException error) =>
        Assert.True(error.Message.Contains(told, StringComparison.Ordinal), $"\"{told}\" is not in: {error.Message}");

    private static string Short(TimeoutException error) =>
        error.Message.Replace($"{typeof(IScriptedGrain).Namespace}.", string.Empty, StringComparison.Ordinal);

    private static Task<TimeoutException> TimeoutOf(Func<Task> call) =>
        Assert.ThrowsAsync<TimeoutException>(call).Guarded("the call ends");

    /// <summary>A span in whose scope a test makes its calls.</summary>
    private sealed class CallersSpan : IDisposable
    {
        private readonly ActivitySource _source = new(nameof(CallersSpan));
        private readonly ActivityListener _listener = new()
        {
            ShouldListenTo = static source => source.Name == nameof(CallersSpan),
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
        };
        private readonly Activity _activity;

        internal CallersSpan()
        {
            ActivitySource.AddActivityListener(_listener);
            _activity = _source.StartActivity("test")!;
        }

        internal IEnumerable<ActivityEvent> Events => _activity.Events;

        public void Dispose()
        {
            _activity.Dispose();
            _listener.Dispose();
            _source.Dispose();
        }
    }
}
