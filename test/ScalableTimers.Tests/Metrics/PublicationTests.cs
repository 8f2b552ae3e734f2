using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Metrics;

// All failed when each service created its own instruments on the factory's meter.
public sealed class PublicationTests : IDisposable
{
    private const int InstrumentsOfAService = 9;

    // As in a host, the factory keeps its meters by name, and disposes them with the container.
    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly IMeterFactory _factory;

    public PublicationTests() => _factory = _container.GetRequiredService<IMeterFactory>();

    public void Dispose() => _container.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void ServiceAndStatistics_DisposedOrNot_FactoryDoesNotKeepThemAlive(bool isDisposed)
    {
        Wait.ForCollection(
            Make(() => new TimerService(new(), logger: null, meterFactory: _factory)),
            Make(static () => new TimerService()),
            Make(() => new OperationStatistics("dropped", _factory)));

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference Make(Func<IDisposable> create)
        {
            var made = create();
            if (isDisposed)
            {
                made.Dispose();
            }

            return new WeakReference(made);
        }
    }

    [Fact]
    public void Services_AThousandOfOneFactory_ShareOneSetOfInstruments()
    {
        for (var i = 0; i < 1_000; i++)
        {
            new TimerService(new(), logger: null, meterFactory: _factory).Dispose();
        }

        var read = Read();

        Assert.Equal((InstrumentsOfAService, 0), (read.Instruments.Count, read.Measurements.Count()));
    }

    [Fact]
    public void Services_TwoOfOneFactory_HaveMeasurementsByTheirNamesUntilTheyAreDisposed()
    {
        using var first = new TimerService(new() { Name = "first" }, logger: null, meterFactory: _factory);
        using var second = new TimerService(new() { Name = "second" }, logger: null, meterFactory: _factory);
        first.Schedule(static _ => { }, null, TimeSpan.FromHours(1));

        Assert.Equal(["first 1", "second 0"], Measured("scalable_timers.pending"));
        second.Dispose();
        Assert.Equal(["first 1"], Measured("scalable_timers.pending"));
        first.Dispose();
        Assert.Empty(Measured("scalable_timers.pending"));
    }

    [Fact]
    public void Statistics_TwoOfOneFactory_HaveMeasurementsByTheirNames()
    {
        using var first = new OperationStatistics("first", _factory);
        using var second = new OperationStatistics("second", _factory);
        first.Add("Foo", TimeSpan.FromMilliseconds(1));
        second.Add("Foo", TimeSpan.FromMilliseconds(2));
        first.Add("Foo", TimeSpan.Zero);
        second.Add("Bar", TimeSpan.FromMilliseconds(3));

        // In turn, on one thread, which keeps its cells of each.
        Assert.Equal((1, 1), (first.Threads, second.Threads));
        Assert.Equal(["first Foo 0.001", "second Bar 0.003", "second Foo 0.002"], Times());
        first.Dispose();
        Assert.Equal(["second Bar 0.003", "second Foo 0.002"], Times());

        IEnumerable<string> Times() => Measured("scalable_timers.operation.time");
    }

    [Fact]
    public void Factory_Throws_SoDoesTheConstructorAndNothingIsLeft()
    {
        var clock = new ManualTimeProvider();

        Assert.Throws<InsufficientMemoryException>(
            () => new TimerService(new(), logger: null, clock: clock, meterFactory: new ThrowingFactory()));

        Assert.Equal(0, clock.ArmedTimers);
    }

    private IEnumerable<string> Measured(string instrument) => Read().Measurements
        .Where(one => one.Instrument == instrument)
        .Select(static one => $"{string.Join(' ', one.Tags.Where(IsNoId).Select(static tag => tag.Value))} {one.Value}")
        .Order(StringComparer.Ordinal);

    private static bool IsNoId(KeyValuePair<string, object?> tag) => tag.Key != "id";

    /// <summary>Reads all instruments of the factory's meters once.</summary>
    private RecordingListener Read()
    {
        using var listener = new RecordingListener(instrument => ReferenceEquals(instrument.Meter.Scope, _factory));
        listener.Observe();
        return listener;
    }

    private sealed class ThrowingFactory : IMeterFactory
    {
        public Meter Create(MeterOptions options) => throw new InsufficientMemoryException("Thrown by the test.");

        public void Dispose()
        {
        }
    }
}
