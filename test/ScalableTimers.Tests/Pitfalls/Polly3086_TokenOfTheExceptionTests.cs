using ScalableTimers.Testing;

namespace ScalableTimers.Tests.Pitfalls;

/// <summary>
/// App-vNext/Polly #3086: a cancellation exception carried the caller's token although something else was the cause,
/// and callers took it for their own.
/// </summary>
public class Polly3086_TokenOfTheExceptionTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Delay_EndedByItsToken_CarriesIt()
    {
        using var service = new TimerService(clock: _clock);
        using var source = new CancellationTokenSource();
        var delay = service.Delay(s_second, source.Token);
        source.Cancel();

        Assert.Equal(source.Token, Cancellation(delay).CancellationToken);
    }

    [Fact]
    public void Delay_EndedByTheStop_DoesNotCarryIt()
    {
        using var service = new TimerService(clock: _clock);
        using var source = new CancellationTokenSource();
        var pending = service.Delay(s_second, source.Token);
        _ = service.StopAsync(TestContext.Current.CancellationToken);
        var begunLater = service.Delay(s_second, source.Token);

        Assert.Equal(CancellationToken.None, Cancellation(pending).CancellationToken);
        Assert.Equal(CancellationToken.None, Cancellation(begunLater).CancellationToken);
    }

    [Fact]
    public void Delay_EndedByDisposal_DoesNotCarryIt()
    {
        var service = new TimerService(clock: _clock);
        using var source = new CancellationTokenSource();
        var delay = service.Delay(s_second, source.Token);
        service.Dispose();
        source.Cancel();

        Assert.Equal(CancellationToken.None, Cancellation(delay).CancellationToken);
    }

    [Fact]
    public void Delay_ElapsedBeforeItsTokenIsCancelled_DoesNotThrow()
    {
        using var service = new TimerService(clock: _clock);
        using var source = new CancellationTokenSource();
        var delay = service.Delay(s_second, source.Token);
        _clock.Advance(s_second);
        source.Cancel();

        delay.Read();
    }

    private static OperationCanceledException Cancellation(ValueTask delay) =>
        Assert.ThrowsAny<OperationCanceledException>(() => delay.Read());
}
