using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using ScalableTimers.Tests.Metrics;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: what .NET's timers bear at the edges of ordinary code: first used in a finalizer, measured by a listener that
/// throws.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_Edges
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);

    // Failed before with a service that has a thread: the event on which that sleeps was finalized, and the process
    // ended.
    [Theory]
    [InlineData("Timer")]
    [InlineData("TimeProvider.System")]
    [InlineData("Thread: Schedule")]
    [InlineData("Thread: Delay")]
    [InlineData("Thread: TimeProvider")]
    [InlineData("Timer: Schedule")]
    [InlineData("Timer: Delay")]
    [InlineData("Timer: TimeProvider")]
    public Task Timer_FirstUsedInAFinalizer_Fires(string kind) => Child.Passes(kind, () =>
    {
        using var fired = new CountdownEvent(10);
        for (var i = 0; i < 10; i++)
        {
            _ = Services.InAFrameOfItsOwn(() => new WeakReference(new FirstUsedInItsFinalizer(kind, fired)));
            Services.CollectGarbage();
        }

        Wait.For(fired, "the timers");
        Services.CollectGarbage();
        return Task.CompletedTask;
    });

    // .NET's timers have no meter. Failed before at every instrument but the last: those up to it were all that later
    // services had.
    [Fact]
    public void Listener_ThrowsAtOneInstrument_LaterServicesHaveThemAll()
    {
        var expected = Instruments(throwAt: 0);
        Assert.True(expected.Count > 8, string.Join(", ", expected));
        for (var throwAt = 1; throwAt <= expected.Count; throwAt++)
        {
            Assert.Equal(expected, Instruments(throwAt));
        }
    }

    /// <summary>The instruments of a meter whose listener throws at one of them, after a second service.</summary>
    private static SortedSet<string> Instruments(int throwAt)
    {
        using var meters = new OwnMeter();
        var seen = 0;
        using var faulty = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter, meters.Meter) && ++seen == throwAt)
                {
                    throw new InvalidOperationException("Thrown by the listener.");
                }
            },
        };
        faulty.Start();
        var thrown = Record.Exception(() => NewService(meters).Dispose());
        Assert.Equal(throwAt > 0, thrown is not null);
        using var service = NewService(meters);
        var names = new SortedSet<string>(StringComparer.Ordinal);
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) =>
            {
                if (ReferenceEquals(instrument.Meter, meters.Meter))
                {
                    names.Add(instrument.Name);
                }
            },
        };
        listener.Start();
        return names;
    }

    private static TimerService NewService(IMeterFactory meters) => new(new(), logger: null, meterFactory: meters);

    /// <summary>As a cache entry or a pooled connection that tidies up a little later.</summary>
#pragma warning disable CA1001 // It ends by its finalizer.
    private sealed class FirstUsedInItsFinalizer(string kind, CountdownEvent fired)
#pragma warning restore CA1001
    {
        private static readonly ConcurrentQueue<ITimer> s_kept = [];

        private readonly TimerService _service = new(new()
        {
            Driver = kind.StartsWith("Timer:", StringComparison.Ordinal)
                ? TimerServiceDriver.Timer
                : TimerServiceDriver.Thread,
        });

        ~FirstUsedInItsFinalizer()
        {
            TimerCallback signal = static fired => ((CountdownEvent)fired!).Signal();
            switch (kind[(kind.IndexOf(' ', StringComparison.Ordinal) + 1)..])
            {
                case "Timer":
                    Keep(new Timer(signal, fired, s_tick, Timeout.InfiniteTimeSpan));
                    break;
                case "TimeProvider.System":
                    Keep(TimeProvider.System.CreateTimer(signal, fired, s_tick, Timeout.InfiniteTimeSpan));
                    break;
                case "Schedule":
                    _service.Schedule(signal, fired, s_tick);
                    break;
                case "TimeProvider":
                    Keep(_service.TimeProvider.CreateTimer(signal, fired, s_tick, Timeout.InfiniteTimeSpan));
                    break;
                default:
                    _service.Delay(s_tick).GetAwaiter().OnCompleted(() => fired.Signal());
                    break;
            }
        }

        private static void Keep(ITimer timer) => s_kept.Enqueue(timer);
    }
}
