using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using ScalableTimers.Tests.Clock;
using ScalableTimers.Tests.Metrics;

namespace ScalableTimers.Tests.Promises;

/// <summary>
/// P11: what .NET's timers bear at the edges of ordinary code: first used in a finalizer, measured by a listener that
/// throws, awaited twice.
/// </summary>
public class P11_NoWorseThanWhatItReplacesTests_Edges
{
    private const int Readers = 2;
    private const int MaxRounds = 20_000;

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

    // A Task can be read any number of times, a ValueTask once. Failed before in most runs on two processors: both
    // readers read at up to 500 of 20,000 rounds, the entry went into the pool twice, and two delays shared it.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Delay_ReadByManyThreadsAtOnce_OneReadsAndLaterDelaysAreTheirOwn(bool isOrdered)
    {
        var clock = new ManualTimeProvider();
        using var service = isOrdered ? new TimerService(new(), clock: clock) : Services.OnThePool(clock);
        var (delay, read, refused) = (default(ValueTask), 0, 0);
        var control = Task.CompletedTask;
        void Prepare()
        {
            // The control, which each reader reads.
            control = Task.Delay(s_tick, clock);
            delay = service.Delay(s_tick);
            clock.Advance(s_tick);
            Wait.Until(() => delay.IsCompleted && control.IsCompleted, "the end of the delays");
        }

        // On a busy machine there are fewer rounds, but not longer ones.
        var begun = Stopwatch.GetTimestamp();
        var (arrived, rounds) = (0, 0);
        Wait.ForThreads(Readers, number =>
        {
            for (var round = 0; round <= Volatile.Read(ref rounds); round++)
            {
                if (number == 0)
                {
                    Prepare();
                    var isLast = round == MaxRounds - 1 || Stopwatch.GetElapsedTime(begun).TotalSeconds > 3;
                    Volatile.Write(ref rounds, isLast ? round : round + 1);
                }

                // The last to arrive is ahead by the time in which the other sees it.
                Meet(ref arrived, Readers * ((2 * round) + 1));
                Thread.SpinWait(number == 0 ? round % 128 : 0);
                try
                {
                    delay.GetAwaiter().GetResult();
                    Interlocked.Increment(ref read);
                }
                catch (InvalidOperationException)
                {
                    Interlocked.Increment(ref refused);
                }

                control.GetAwaiter().GetResult();
                Meet(ref arrived, Readers * ((2 * round) + 2));
                if (number == 0)
                {
                    AssertAreTheirOwn(service, clock);
                }
            }
        });

        Assert.Equal((rounds + 1, (Readers - 1) * (rounds + 1)), (read, refused));
    }

    /// <summary>Waits until all readers are here, without letting go of the processor for long.</summary>
    private static void Meet(ref int arrived, int all)
    {
        Interlocked.Increment(ref arrived);
        for (var spinner = default(SpinWait); Volatile.Read(ref arrived) < all;)
        {
            spinner.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>Begins delays at the same time: each must end at its own.</summary>
    private static void AssertAreTheirOwn(TimerService service, ManualTimeProvider clock)
    {
        var delays = Enumerable.Range(1, Readers).Select(i => service.TryDelay(i * s_tick)).ToList();
        for (var i = 0; i < delays.Count; i++)
        {
            clock.Advance(s_tick);
            var delay = delays[i];
            Wait.Until(() => delay.IsCompleted, "the end of a delay");
            Assert.DoesNotContain(delays.Skip(i + 1), static later => later.IsCompleted);
            Assert.True(delay.GetAwaiter().GetResult());
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
