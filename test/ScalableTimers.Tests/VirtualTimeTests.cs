using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests;

/// <summary>A clock that stops at each due time drives chains of timers exactly, however far it advances.</summary>
public sealed class VirtualTimeTests : IDisposable
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly ManualTimeProvider _clock = new();
    private readonly TimerService _service;

    public VirtualTimeTests() => _service = new TimerService(clock: _clock);

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Advance_ChainOfCallbacks_IsExact()
    {
        var fired = new List<TimeSpan>();
        void Next(object? state)
        {
            fired.Add(_clock.Elapsed);
            _service.Schedule(Next, null, 10 * s_tick);
        }

        _service.Schedule(Next, null, 10 * s_tick);
        _clock.Advance(10 * s_second);

        Assert.Equal(Enumerable.Range(1, 100).Select(static i => i * 10 * s_tick), fired);
    }

    [Fact]
    public void Advance_InsideACallback_FiresWhatIsDueUpToThere()
    {
        var fired = new List<(string Name, int Milliseconds)>();
        void Note(string name) => fired.Add((name, (int)_clock.Elapsed.TotalMilliseconds));
        _service.Schedule(
            _ =>
            {
                Note("outer begins");
                _clock.Advance(5 * s_tick);
                Note("outer ends");
            },
            null,
            s_tick);
        _service.Schedule(_ => Note("peer"), null, s_tick);
        _service.Schedule(_ => Note("inside"), null, 4 * s_tick);
        _service.Schedule(_ => Note("after"), null, 8 * s_tick);

        _clock.Advance(10 * s_tick);

        Assert.Equal([("outer begins", 10), ("peer", 20), ("inside", 40), ("outer ends", 60), ("after", 80)], fired);
        Assert.Equal(10 * s_tick, _clock.Elapsed);
    }

    [Fact]
    public void Advance_AfterATimerOfManyDays_IsStillExact()
    {
        // The driver waits for the timer in slices of forty days. Each slice ends before the timer is due.
        using var fine = new TimerService(
            new ScalableTimerOptions { Resolution = TimeSpan.FromMilliseconds(1.5) }, _clock);
        fine.Schedule(static _ => { }, null, TimeSpan.FromDays(100));
        _clock.Advance(TimeSpan.FromDays(100) + s_second);
        var start = _clock.Elapsed;
        var fired = new List<TimeSpan>();

        for (var i = 1; i <= 3; i++)
        {
            fine.Schedule(_ => fired.Add(_clock.Elapsed - start), null, i * TimeSpan.FromMilliseconds(1.5));
        }

        _clock.Advance(s_second);

        // A hundred days and a second end half a millisecond before the next tick of 1.5 milliseconds.
        Assert.Equal(
            [TimeSpan.FromMilliseconds(2), TimeSpan.FromMilliseconds(3.5), TimeSpan.FromMilliseconds(5)], fired);
    }
}
