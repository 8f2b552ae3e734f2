using System.Diagnostics.Metrics;
using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;

namespace ScalableTimers.Tests.Metrics;

// All but Listener_ThrowsAtEachMeasurement_… failed when each service made instruments of its own on the factory's
// meter.
public sealed class PublicationTests : IDisposable
{
    private const int InstrumentsOfAService = 9;

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
    public void Services_TwoOfOneFactory_HaveAMeasurementEachUntilTheyAreDisposed()
    {
        using var first = new TimerService(meterFactory: _factory);
        using var second = new TimerService(meterFactory: _factory);
        first.Schedule(static _ => { }, null, TimeSpan.FromHours(1));

        Assert.Equal([0, 1], Pending());
        second.Dispose();
        Assert.Equal([1], Pending());
        first.Dispose();
        Assert.Empty(Pending());

        IEnumerable<double> Pending() => Record(_factory).Measurements
            .Where(static one => one.Instrument == "scalable_timers.pending")
            .Select(static one => one.Value)
            .Order();
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

        IEnumerable<string> Times() => Record(_factory).Measurements
            .Where(static one => one.Instrument == "operation.time")
            .Select(static one => $"{one.Tags} {one.Value}")
            .Order(StringComparer.Ordinal);
    }

    [Fact]
    public void Listener_ThrowsAtEachMeasurement_TheNextListenerHasThemAll()
    {
        using var service = new TimerService(meterFactory: _factory);
        using var listener = Listen(_factory, static () => throw new IOException("Thrown by the listener."));

        // .NET collects the exceptions of listeners, and throws them to the code that asked them to record.
        Assert.Throws<AggregateException>(listener.RecordObservableInstruments);

        Assert.Equal(InstrumentsOfAService, Record(_factory).Measurements.Count);
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

    /// <summary>Reads all instruments of a factory's meters once.</summary>
    private static (
        int Instruments,
        List<(string Instrument, string Tags, double Value)> Measurements) Record(IMeterFactory factory)
    {
        var instruments = 0;
        var measurements = new List<(string Instrument, string Tags, double Value)>();
        using var listener = Listen(factory, static () => { }, _ => instruments++);
        listener.SetMeasurementEventCallback<long>(
            (instrument, value, tags, _) => measurements.Add((instrument.Name, Text(tags), value)));
        listener.SetMeasurementEventCallback<double>(
            (instrument, value, tags, _) => measurements.Add((instrument.Name, Text(tags), value)));
        listener.RecordObservableInstruments();
        return (instruments, measurements);

        static string Text(ReadOnlySpan<KeyValuePair<string, object?>> tags) =>
            string.Join(' ', tags.ToArray().Select(static tag => tag.Value));
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
}
