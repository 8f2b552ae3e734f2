using System.Reflection;
using Orleans.Timers.Scalable.Calls;
using Orleans.Timers.Scalable.Deadlines;
using Orleans.Timers.Scalable.Grains;
using Orleans.Timers.Scalable.Messaging;
using ScalableTimers;
using ScalableTimers.Tests.Clock;

namespace Orleans.Timers.Scalable.Tests;

public sealed class RequestTokenTests : IDisposable
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly ManualTimeProvider _stallClock = new();
    private readonly TimerService _service;
    private readonly Stalls _stalls;
    private readonly TokenRequest _request = new();
    private readonly IIncomingGrainCallContext _call;

    public RequestTokenTests()
    {
        _service = new TimerService(new TimerServiceOptions(), _clock);
        _stalls = new Stalls(_stallClock);
        _call = DispatchProxy.Create<IIncomingGrainCallContext, Call>();
        ((Call)(object)_call).Request = _request;
    }

    public void Dispose()
    {
        _service.Dispose();
        _request.Dispose();
    }

    // Seen to fail when the request's own token was cancelled.
    [Fact]
    public void TimeOut_RequestHasBeenSentAgain_ItsNewTokenIsNotCancelled()
    {
        _ = Begin(s_second);
        var first = _request.Token;
        _request.SetTarget(null!);

        _clock.Advance(s_second);

        Assert.True(first.IsCancellationRequested);
        Assert.False(_request.Token.IsCancellationRequested);
    }

    // Seen to fail without the grace.
    [Fact]
    public void TimeOut_ProcessStoodStill_ComesASecondLater()
    {
        _ = Begin(s_second);
        _ = _stalls.GraceLeft(s_second * 8);

        _clock.Advance(s_second);
        Assert.False(_request.Token.IsCancellationRequested);

        _stallClock.Advance(s_second);
        _clock.Advance(s_second);
        Assert.True(_request.Token.IsCancellationRequested);
    }

    // Seen to fail without the check of the token: the caller would get a TimeoutException for its own cancellation.
    [Fact]
    public void ToCaller_CallerWasFirst_IsNull()
    {
        var token = Begin(s_second);
        _request.TryCancel();

        _clock.Advance(s_second);

        Assert.Null(token.ToCaller(new OperationCanceledException()));
    }

    // Seen to fail without Restore: a caller in the same silo would send the ended token with its next attempt.
    [Fact]
    public void Restore_MethodHasBegun_RequestHasItsOwnTokenAgain()
    {
        var own = _request.Token;
        var token = Begin(s_second);
        var ours = _request.Token;
        token.Restore();

        _clock.Advance(s_second);

        Assert.Equal(own, _request.Token);
        Assert.Equal((false, true), (own.IsCancellationRequested, ours.IsCancellationRequested));
    }

    // Seen to fail with a timer that outlives the service: a request that never ends would keep a silo that is gone.
    [Fact]
    public void Dispose_RequestsRun_ServiceKeepsNoneOfThem()
    {
        _ = Begin(s_second);

        _service.Dispose();
        var late = Begin(s_second);

        Assert.Equal(0, _service.GetSnapshot().Pending);
        late.End();
    }

    // In the turn that the request begins in. Seen to fail when the cancellation waits for another, which never comes.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Deactivation_BeganBeforeTheRequest_CancelsAtOnceUnlessItWaits(bool isByApplication)
    {
        var end = new ActivationEnd(silo: null!, context: null);
        end.Begin(isByApplication);
        ((Call)(object)_call).TargetContext = DispatchProxy.Create<IGrainContext, WithoutTurns>();

        _ = new RequestToken(Timers, _call, remaining: null, end);

        Assert.Equal(!isByApplication, _request.Token.IsCancellationRequested);
    }

    // Seen to fail when End reads and writes instead of comparing and exchanging, and when a cancellation that comes
    // too late throws; in one run of three when Cancel reads and writes.
    [Fact]
    public async Task End_TimeIsUpAtOnce_TokenIsCancelledOnlyIfACauseIsReported()
    {
        var (time, cancellation) = (TimeSpan.FromMilliseconds(10), new OperationCanceledException());
        var (own, token) = (_request.Token, Begin(time));
        var (ours, reported, lead) = (_request.Token, default(Exception), 0);
        await Race.Run(
            thread =>
            {
                if (thread == 0)
                {
                    _clock.Advance(time);
                    return;
                }

                Thread.SpinWait(lead);
                token.End();
                reported = token.ToCaller(cancellation);
            },
            () =>
            {
                // The next end comes sooner or later, so that it meets the time.
                lead += reported is null ? 1 + (lead / 16) : -1 - (lead / 16);
                lead = Math.Max(0, lead);
                Assert.Equal(reported?.GetType(), token.ToCaller(cancellation)?.GetType());
                Assert.False(ours.IsCancellationRequested && reported is null);
                Assert.Equal((own, 0L), (_request.Token, _service.GetSnapshot().Failed));
                token = Begin(time);
                ours = _request.Token;
            });
    }

    private CallTimers Timers => new(_service, _stalls);

    private RequestToken Begin(TimeSpan remaining) => new(Timers, _call, remaining, activation: null);

#pragma warning disable CA1852 // A proxy derives from it.
    private class Call : DispatchProxy
    {
        internal IRequest Request { get; set; } = null!;

        internal IGrainContext TargetContext { get; set; } = Create<IGrainContext, Turns>();

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => targetMethod?.Name switch
        {
            "get_Request" => Request,
            "get_TargetId" => default(GrainId),
            "get_TargetContext" => TargetContext,
            _ => null,
        };
    }

    /// <summary>A grain that is always free for its next turn.</summary>
    private class Turns : DispatchProxy
    {
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            if (targetMethod?.Name == "QueueAction")
            {
                ((Action)args![0]!)();
            }

            return targetMethod?.Name == "get_Scheduler" ? Create<IWorkItemScheduler, Turns>() : null;
        }
    }

    private class WithoutTurns : DispatchProxy
    {
        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) =>
            targetMethod?.Name == "get_Scheduler" ? Create<IWorkItemScheduler, WithoutTurns>() : null;
    }
#pragma warning restore CA1852
}
