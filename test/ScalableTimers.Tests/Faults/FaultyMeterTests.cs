using System.Diagnostics.Metrics;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Metrics;

namespace ScalableTimers.Tests.Faults;

/// <summary>
/// A meter factory that throws, and meter listeners that throw, block, or use the service they measure.
/// </summary>
public class FaultyMeterTests
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void Factory_Throws_SoDoesTheConstructorAndNothingIsLeft()
    {
        _ = Assert.Throws<InsufficientMemoryException>(
            () => new TimerService(new(), logger: null, clock: _clock, meterFactory: new ThrowingFactory()));

        Assert.Equal(0, _clock.ArmedTimers);
    }

    [Fact]
    public void Listener_DisposesTheService_EndsIt()
    {
        var service = new TimerService(new(), clock: _clock);
        _ = service.Schedule(static _ => { }, null, s_second);
        using var listener = Listen(service.Dispose);

        _ = Record.Exception(listener.Observe);

        Assert.Equal((0L, 1L, 0), (service.GetSnapshot().Pending, service.GetSnapshot().Dropped, _clock.ArmedTimers));
    }

    [Fact]
    public void Listener_Blocks_TimersFireAndTheServiceCanBeUsed()
    {
        using var service = new TimerService(new(), clock: _clock);
        using var isListening = new ManualResetEventSlim();
        using var release = new ManualResetEventSlim();
        using var listener = Listen(() =>
        {
            isListening.Set();
            release.Wait();
        });
        var recording = new TestThread(listener.Observe);
        recording.Start();
        Wait.For(isListening, "the listener");

        var fired = 0;
        _ = service.Schedule(_ => fired++, null, s_second);
        Wait.ForThread(() => service.Schedule(_ => fired++, null, s_second));
        _clock.Advance(s_second);

        Assert.Equal((2, 2L), (fired, service.GetSnapshot().Fired));
        release.Set();
        recording.End();
    }

    /// <summary>
    /// The listener also gets the instruments of other tests' services. It calls back only when the test reads them.
    /// </summary>
    private static RecordingListener Listen(Action act) => new(
        static instrument =>
            instrument.Meter.Name == TimerMetrics.MeterName && instrument.Name == "scalable_timers.pending",
        act);

    private sealed class ThrowingFactory : IMeterFactory
    {
        public Meter Create(MeterOptions options) => throw new InsufficientMemoryException("Thrown by the test.");

        public void Dispose()
        {
        }
    }
}
