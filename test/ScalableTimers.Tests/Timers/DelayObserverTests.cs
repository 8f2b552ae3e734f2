using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Collections;
using ScalableTimers.Timers;

namespace ScalableTimers.Tests.Timers;

public class DelayObserverTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly HandClock _clock = new();
    private readonly Counter _observer = new();

    [Fact]
    public void Delay_FailsBeforeItIsScheduled_HasAnEndForItsBeginning()
    {
        using var service = new TimerService(clock: _clock);
        service.Schedule(static _ => { }, null, s_second); // The thread joins the service, which reads the clock too.
        _clock.BeforeReading = static () => throw new IOException("Thrown by the clock.");

        Assert.Throws<IOException>(() => { _ = Delay(service); });

        Assert.Equal(_observer.Begun, _observer.Ended);
    }

    [Fact]
    public void Delay_FailsAfterItWasScheduled_HasOneEndForItsBeginning()
    {
        // The driver's timer is set after the delay was linked. The delay then ends with the service, and the observer
        // must not be told of this second end.
        var service = new TimerService(clock: _clock);
        _clock.Changed = static () => throw new IOException("Thrown by the clock.");

        Assert.Throws<IOException>(() => { _ = Delay(service); });
        Assert.Equal((1, 1), (_observer.Begun, _observer.Ended));
        _clock.Changed = null;
        service.Dispose();

        Assert.Equal((1, 1), (_observer.Begun, _observer.Ended));
    }

    // Failed while the entry was rented before the observer was told: the entry stayed linked.
    [Fact]
    public void Delay_ObserverRefusesIt_LeavesNothingLinked()
    {
        using var service = Services.OnThePool(_clock);
        for (var i = 0; i < 100; i++)
        {
            using var source = new CancellationTokenSource();
            var cancelled = service.TryDelay(s_second, source.Token);
            source.Cancel();
            Assert.False(cancelled.Read());
            _observer.Refuses = true;
            Assert.Throws<IOException>(() => { _ = Delay(service); });
        }

        Assert.InRange(TimerCollectionTests.Linked(service.CurrentCollection()), 0, 64);
    }

    [Fact]
    public void Delay_OfADisposedService_HasNeitherBeginningNorEnd()
    {
        var service = new TimerService(clock: _clock);
        service.Dispose();

        Assert.Throws<ObjectDisposedException>(() => { _ = Delay(service); });

        Assert.Equal((0, 0), (_observer.Begun, _observer.Ended));
    }

    private ValueTask Delay(TimerService service) =>
        service.Delay(s_second, DelayOptions.None, CancellationToken.None, CancellationToken.None, _observer);

    private sealed class Counter : DelayObserver
    {
        internal int Begun { get; private set; }

        internal int Ended { get; private set; }

        internal bool Refuses { get; set; }

        internal override void OnBegun()
        {
            if (Refuses)
            {
                throw new IOException("Thrown by the observer.");
            }

            Begun++;
        }

        internal override void OnEnded() => Ended++;
    }
}
