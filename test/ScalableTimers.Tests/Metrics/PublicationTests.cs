using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;

namespace ScalableTimers.Tests.Metrics;

// All but Listener_ThrowsAtEachMeasurement_… failed when each service made instruments of its own on the factory's
// meter.
public sealed class PublicationTests : IDisposable
{
    private const int InstrumentsOfAService = 12;
    private const int Histograms = 2;

    // This is as in a host: the factory keeps its meters by name, and disposes them with the container.
    private readonly ServiceProvider _container = new ServiceCollection().AddMetrics().BuildServiceProvider();
    private readonly IMeterFactory _factory;

    public PublicationTests() => _factory = _container.GetRequiredService<IMeterFactory>();

    public void Dispose() => _container.Dispose();

    [Fact]
    public void Service_DisposedOrNot_IsCollectedThoughTheFactoryKeepsItsMeter()
    {
        Wait.ForCollection(Make(isDisposed: true), Make(isDisposed: false));

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference Make(bool isDisposed)
        {
            var service = new TimerService(meterFactory: _factory);
            if (isDisposed)
            {
                service.Dispose();
            }

            return new WeakReference(service);
        }
    }

    [Fact]
    public void Service_WithAMeterOfItsOwn_IsCollectedThoughNobodyDisposedIt()
    {
        Wait.ForCollection(Services.InAFrameOfItsOwn(static () => new WeakReference(new TimerService())));
    }

    [Fact]
    public void Statistics_DisposedOrNot_AreCollectedThoughTheFactoryKeepsTheirMeter()
    {
        Wait.ForCollection(Make(isDisposed: true), Make(isDisposed: false));

        [MethodImpl(MethodImplOptions.NoInlining)]
        WeakReference Make(bool isDisposed)
        {
            var statistics = new OperationStatistics("dropped", _factory);
            if (isDisposed)
            {
                statistics.Dispose();
            }

            return new WeakReference(statistics);
        }
    }

    [Fact]
    public void Services_AThousandOfOneFactory_ShareOneSetOfInstruments()
    {
        for (var i = 0; i < 1_000; i++)
        {
            new TimerService(meterFactory: _factory).Dispose();
        }

        var (instruments, measurements) = Record(_factory);

        Assert.Equal((InstrumentsOfAService, 0), (instruments, measurements.Count));
    }

    [Fact]
    public void Services_TwoOfOneFactory_HaveMeasurementsByTheirNamesUntilTheyAreDisposed()
    {
        using var first = new TimerService(new() { Name = "first" }, meterFactory: _factory);
        using var second = new TimerService(new() { Name = "second" }, meterFactory: _factory);
        first.Schedule(static _ => { }, null, TimeSpan.FromHours(1));

        Assert.Equal(["first 1", "second 0"], Measured("scalable_timers.pending"));
        second.Dispose();
        Assert.Equal(["first 1"], Measured("scalable_timers.pending"));
        first.Dispose();
        Assert.Empty(Measured("scalable_timers.pending"));
    }

    // Of two measurements with the same tags, observers keep the later one.
    [Fact]
    public void Services_OfOneNameAndFactory_AppearAsOneWithTheirSumsAndTheLargerMaximum()
    {
        using var first = new TimerService(meterFactory: _factory);
        using var second = new TimerService(meterFactory: _factory);
        using var other = new TimerService(new() { Name = "other" }, meterFactory: _factory);
        foreach (var (service, count) in new[] { (first, 2), (second, 3), (other, 4) })
        {
            for (var i = 0; i < count; i++)
            {
                service.Schedule(static _ => { }, null, TimeSpan.FromHours(1));
            }
        }

        first.Driver.NoteLag(oldestTick: 0, first.Clock.ToTimestampDuration(TimeSpan.FromSeconds(3)));
        second.Driver.NoteLag(oldestTick: 0, first.Clock.ToTimestampDuration(TimeSpan.FromSeconds(2)));

        Assert.Equal(["default 5", "other 4"], Measured("scalable_timers.pending"));
        Assert.Equal(["default 5", "other 4"], Measured("scalable_timers.scheduled"));
        Assert.Equal(["default 0", "other 0"], Measured("scalable_timers.timeout_tokens"));
        Assert.Equal(["default 3", "other 0"], Measured("scalable_timers.lateness.max"));
    }

    // Observers take a counter that goes back for one that has begun anew, or subtract: then figures are negative.
    [Fact]
    public void Counters_OneOfTwoServicesOfAName_IsDisposed_DoNotGoBack()
    {
        using var first = new TimerService(meterFactory: _factory);
        using var second = new TimerService(meterFactory: _factory);
        using var other = new TimerService(new() { Name = "other" }, meterFactory: _factory);
        for (var i = 0; i < 3; i++)
        {
            first.Schedule(static _ => { }, null, TimeSpan.FromHours(1)).Cancel();
        }

        second.Schedule(static _ => { }, null, TimeSpan.FromHours(1));
        first.Dispose();
        first.Dispose();

        Assert.Equal(["default 4", "other 0"], Measured("scalable_timers.scheduled"));
        Assert.Equal(["default 3", "other 0"], Measured("scalable_timers.cancelled"));
        Assert.Equal(["default 1", "other 0"], Measured("scalable_timers.pending"));

        second.Dispose();
        Assert.Equal(["other 0"], Measured("scalable_timers.scheduled"));

        using var third = new TimerService(meterFactory: _factory);
        Assert.Equal(["default 4", "other 0"], Measured("scalable_timers.scheduled"));
        Assert.Equal(["default 0", "other 0"], Measured("scalable_timers.pending"));
    }

    [Fact]
    public void Instruments_AllOfAService_HaveItsNameAsTheirOnlyTag()
    {
        using var service = new TimerService(new() { Name = "tagged" }, meterFactory: _factory);

        var measurements = Record(_factory).Measurements;

        Assert.Equal(InstrumentsOfAService - Histograms, measurements.Count);
        Assert.All(measurements, static one => Assert.Equal("service tagged", one.NamedTags));
    }

    [Fact]
    public void Statistics_TwoOfOneFactory_HaveMeasurementsByTheirNames()
    {
        using var first = new OperationStatistics("first", _factory);
        using var second = new OperationStatistics("second", _factory);
        first.Add("Foo", TimeSpan.FromMilliseconds(1));
        second.Add("Foo", TimeSpan.FromMilliseconds(2));
        second.Add("Bar", TimeSpan.FromMilliseconds(3));

        Assert.Equal(["first Foo 1", "second Bar 3", "second Foo 2"], Times());
        first.Dispose();
        Assert.Equal(["second Bar 3", "second Foo 2"], Times());

        IEnumerable<string> Times() => Measured("operation.time");
    }

    [Fact]
    public void Listener_ThrowsAtEachMeasurement_TheNextListenerHasThemAll()
    {
        using var service = new TimerService(meterFactory: _factory);
        using var listener = Listen(_factory, static () => throw new IOException("Thrown by the listener."));

        // .NET collects the exceptions of listeners, and throws them to the code that asked them to record.
        Assert.Throws<AggregateException>(listener.RecordObservableInstruments);

        Assert.Equal(InstrumentsOfAService - Histograms, Record(_factory).Measurements.Count);
    }

    [Fact]
    public void Listener_ThrowsWhenAnInstrumentIsPublished_TheServiceIsMadeWithAllOfThem()
    {
        var heard = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter.Scope, _factory))
                {
                    heard++;
                    throw new IOException("Thrown by the listener.");
                }
            },
        };
        listener.Start();

        using var service = new TimerService(meterFactory: _factory);

        listener.InstrumentPublished = null;
        Assert.Equal((InstrumentsOfAService, InstrumentsOfAService), (heard, Record(_factory).Instruments));
    }

    [Fact]
    public void Listener_ThrowsWhenInstrumentsEnd_TheServiceIsDisposed()
    {
        var thread = Environment.CurrentManagedThreadId;
        var started = false;
        var heard = 0;
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                // Only the instruments of this test's own service count. Its meter does not identify it. But its
                // instruments are published on the thread that creates the service, and after the listener's start. The
                // start publishes, on this thread too, the instruments of other services that exist already.
                if (started
                    && instrument.Meter.Name == "ScalableTimers"
                    && Environment.CurrentManagedThreadId == thread)
                {
                    listener.EnableMeasurementEvents(instrument, thread);
                }
            },
            MeasurementsCompleted = (_, _) =>
            {
                heard++;
                throw new IOException("Thrown by the listener.");
            },
        };
        var log = new CollectingLogger();
        listener.Start();
        started = true;
        var service = new TimerService(logger: log);

        service.Dispose();

        listener.MeasurementsCompleted = null;
        Assert.NotEqual(0, heard);
        Assert.Contains(
            log.Entries,
            static entry => entry.Message.StartsWith("The timer service was disposed", StringComparison.Ordinal));
    }

    private IEnumerable<string> Measured(string instrument) => Record(_factory).Measurements
        .Where(one => one.Instrument == instrument)
        .Select(static one => $"{one.Tags} {one.Value}")
        .Order(StringComparer.Ordinal);

    /// <summary>Reads all instruments of a factory's meters once.</summary>
    private static (int Instruments, List<Measurement> Measurements) Record(IMeterFactory factory)
    {
        var instruments = 0;
        var measurements = new List<Measurement>();
        using var listener = Listen(factory, static () => { }, _ => instruments++);
        listener.SetMeasurementEventCallback<long>(
            (instrument, value, tags, _) => measurements.Add(new(instrument.Name, tags.ToArray(), value)));
        listener.SetMeasurementEventCallback<double>(
            (instrument, value, tags, _) => measurements.Add(new(instrument.Name, tags.ToArray(), value)));
        listener.RecordObservableInstruments();
        return (instruments, measurements);
    }

    private static MeterListener Listen(IMeterFactory factory, Action measured, Action<Instrument>? published = null)
    {
        var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (ReferenceEquals(instrument.Meter.Scope, factory))
                {
                    published?.Invoke(instrument);
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, _, _, _) => measured());
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => measured());
        listener.Start();
        return listener;
    }

    private sealed record Measurement(string Instrument, KeyValuePair<string, object?>[] AllTags, double Value)
    {
        internal string Tags => string.Join(' ', AllTags.Select(static tag => tag.Value));

        internal string NamedTags => string.Join(' ', AllTags.Select(static tag => $"{tag.Key} {tag.Value}"));
    }
}
