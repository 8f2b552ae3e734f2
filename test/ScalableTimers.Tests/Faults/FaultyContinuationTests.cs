using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Faults;

/// <summary>
/// A continuation of a delay or a callback of a token throws, or cannot run because its context is gone.
/// </summary>
public class FaultyContinuationTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Continuation_ItsContextIsGone_AllOthersGoOn()
    {
        using var service = NewService();
        var ended = 0;
        Wait.ForThread(() =>
        {
            SynchronizationContext.SetSynchronizationContext(new ClosedContext());
            service.TryDelay(s_second).GetAwaiter().UnsafeOnCompleted(() => ended++);
            SynchronizationContext.SetSynchronizationContext(null);
            service.TryDelay(s_second).GetAwaiter().UnsafeOnCompleted(() => ended++);
        });

        _ = Record.Exception(() => _clock.Advance(s_second));

        Assert.Equal((1, 0L), (ended, service.GetSnapshot().Pending));
        _ = service.Schedule(_ => ended++, null, s_second);
        _clock.Advance(s_second);
        Assert.Equal(2, ended);
    }

    [Fact]
    public void Continuation_ThrowsWhenItsTokenIsCancelled_AllOthersGoOn()
    {
        using var service = NewService();
        using var source = new CancellationTokenSource();
        var ended = 0;
        service.TryDelay(s_second, source.Token).GetAwaiter().UnsafeOnCompleted(() => Interlocked.Increment(ref ended));
        service.TryDelay(s_second, source.Token)
            .GetAwaiter()
            .UnsafeOnCompleted(static () => throw new InvalidOperationException("Thrown by what follows."));
        service.TryDelay(s_second, source.Token).GetAwaiter().UnsafeOnCompleted(() => Interlocked.Increment(ref ended));

        source.Cancel();

        Wait.Until(() => Volatile.Read(ref ended) == 2 && service.GetSnapshot().Failed == 1, "the continuations");
        Assert.Equal((2, 0L, 3L), (ended, service.GetSnapshot().Pending, service.GetSnapshot().Cancelled));
    }

    [Fact]
    public void Registration_DisposesTheService_EveryTokenIsCancelled()
    {
        var service = NewService();
        var other = service.GetTimeoutToken(2 * s_second);
        var token = service.GetTimeoutToken(s_second);
        using var registration = token.Register(service.Dispose);

        _clock.Advance(s_second);
        Assert.Equal((true, false), (token.IsCancellationRequested, other.IsCancellationRequested));

        // Tokens outlive their service. The clock ends them.
        _clock.Advance(s_second + TimeSpan.FromSeconds(1));
        Assert.Equal((true, 0L), (other.IsCancellationRequested, service.GetSnapshot().Failed));
    }

    private TimerService NewService() => new(Services.LogsExceptions, NullLogger<TimerService>.Instance, _clock);

    private sealed class ClosedContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) =>
            throw new ObjectDisposedException(nameof(ClosedContext));
    }
}
