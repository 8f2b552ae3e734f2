using System.Diagnostics;
using System.Reflection;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
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

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Deactivation_BeganBeforeTheRequest_CancelsAtOnceUnlessItWaits(bool isByApplication)
    {
        var end = new ActivationEnd(silo: null!, context: null);
        end.Begin(isByApplication);

        _ = new RequestToken(Timers, _call, remaining: null, end);

        Assert.Equal(!isByApplication, _request.Token.IsCancellationRequested);
    }

    // Seen to fail when Cancel and End read and write instead of comparing and exchanging.
    [Fact]
    public void Cancel_AnotherCauseOrTheEndComesAtOnce_OnlyOneCounts()
    {
        var silo = new ActivationDelays(
            _service,
            null!,
            null!,
            null!,
            null!,
            Options.Create(new OrleansTimerOptions()),
            NullLoggerFactory.Instance);
        var cancellation = new OperationCanceledException();
        var (timers, own, begun) = (Timers, _request.Token, Stopwatch.GetTimestamp());

        // The deactivation's callbacks run on the pool, the last registered first. By half of the rounds each way, the
        // head starts adapt to what comes first.
        var leads = new int[2];
        for (var round = 0; round < 20_000 && Stopwatch.GetElapsedTime(begun).TotalSeconds < 1; round++)
        {
            var (isTime, arrived, hasRun) = (round % 2 == 0, 0, false);
            var lead = leads[round % 2];
            var end = new ActivationEnd(silo, context: null);
            end.Token.UnsafeRegister(_ => Volatile.Write(ref hasRun, true), null);
            var token = new RequestToken(timers, _call, s_second, end);
            var (ours, first) = (_request.Token, default(Exception));
            ours.UnsafeRegister(_ => first = token.ToCaller(cancellation), null);
            end.Token.UnsafeRegister(
                _ =>
                {
                    Race.Meet(ref arrived, 2);
                    Thread.SpinWait(Math.Max(0, lead));
                },
                null);
            end.Begin(isByApplication: false);
            Race.Meet(ref arrived, 2);
            Thread.SpinWait(Math.Max(0, -lead));
            if (isTime)
            {
                _clock.Advance(s_second);
            }
            else
            {
                token.End();
                first = token.ToCaller(cancellation);
            }

            Assert.True(SpinWait.SpinUntil(() => Volatile.Read(ref hasRun), HangGuard.Limit));
            var last = token.ToCaller(cancellation);
            Assert.Equal(first?.GetType(), last?.GetType());
            Assert.True(ours.IsCancellationRequested || !isTime);
            Assert.False(ours.IsCancellationRequested && last is null);
            if (isTime)
            {
                token.End();
            }

            Assert.Equal(own, _request.Token);
            leads[round % 2] += last is SiloUnavailableException ? 1 : -1;
        }
    }

    private CallTimers Timers => new(_service, _stalls);

    private RequestToken Begin(TimeSpan remaining) => new(Timers, _call, remaining, activation: null);

#pragma warning disable CA1852 // A proxy derives from it.
    private class Call : DispatchProxy
    {
        internal IRequest Request { get; set; } = null!;

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args) => targetMethod?.Name switch
        {
            "get_Request" => Request,
            "get_TargetContext" => Create<IGrainContext, Call>(),
            "get_TargetId" or "get_GrainId" => default(GrainId),
            _ => null,
        };
    }
#pragma warning restore CA1852
}
