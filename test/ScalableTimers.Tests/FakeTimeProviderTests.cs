using Microsoft.Extensions.Time.Testing;

namespace ScalableTimers.Tests;

/// <summary>
/// <see cref="FakeTimeProvider"/> drives the service in order. When an advance returns, everything due has run.
/// </summary>
public sealed class FakeTimeProviderTests : IDisposable
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    private readonly FakeTimeProvider _clock = new();
    private readonly TimerService _service;

    public FakeTimeProviderTests() => _service = new TimerService(new(), clock: _clock);

    private TimeSpan Elapsed => _clock.GetUtcNow() - _clock.Start;

    public void Dispose() => _service.Dispose();

    [Fact]
    public void Advance_TimersOfSeveralThreads_FireByDeadlineThenSchedulingOrder()
    {
        // Some ticks have more timers than the driver takes in one step.
        var fired = new List<int>();
        var random = new Random(5);
        var expected = new List<(int Tick, int Number)>();
        for (var i = 0; i < 20; i++)
        {
            Wait.ForThread(() =>
            {
                for (var j = 0; j < 30; j++)
                {
                    var number = expected.Count;
                    var ticks = random.Next(10) == 0 ? random.Next(1, 300) : random.Next(1, 4);
                    expected.Add((ticks, number));
                    _service.Schedule(_ => fired.Add(number), null, ticks * s_tick);
                }
            });
        }

        _clock.Advance(300 * s_tick);

        Assert.Equal(expected.Order().Select(static timer => timer.Number), fired);
    }

    [Fact]
    public void Advance_KindsOfTimersMixed_FireByDeadlineThenSchedulingOrder()
    {
        var fired = new List<string>();
        _service.Schedule(_ => fired.Add("callback"), null, s_second);
        _service.Delay(s_second).GetAwaiter().OnCompleted(() => fired.Add("delay"));
        using var timer = _service.TimeProvider.CreateTimer(
            _ => fired.Add("provider timer"), null, s_second, Timeout.InfiniteTimeSpan);
        using var periodic = _service.CreatePeriodicTimer(_ => fired.Add("periodic timer"), null, s_second, s_second);
        using var registration = _service.GetTimeoutToken(s_second).Register(() => fired.Add("token"));
        _service.Schedule(_ => fired.Add("sooner"), null, s_second - s_tick);

        _clock.Advance(s_second);

        Assert.Equal(["sooner", "callback", "delay", "provider timer", "periodic timer", "token"], fired);
    }

    [Fact]
    public void Advance_ChainInOneStep_CountsFromTheEndOfEachStep()
    {
        var fired = new List<TimeSpan>();
        void Next(object? state)
        {
            fired.Add(Elapsed);
            _service.Schedule(Next, null, s_tick);
        }

        _service.Schedule(Next, null, s_tick);
        _clock.Advance(s_second);
        _clock.Advance(s_second);

        Assert.Equal([s_second, 2 * s_second], fired);
    }

    [Fact]
    public void Advance_CallbackSchedulesZero_RunsAfterItsPeersWithinTheSameAdvance()
    {
        var fired = new List<string>();
        void Again(object? state)
        {
            fired.Add($"zero {fired.Count}");
            if (fired.Count < 5)
            {
                _service.Schedule(Again, null, TimeSpan.Zero);
            }
        }

        _service.Schedule(Again, null, s_tick);
        _service.Schedule(_ => fired.Add("peer"), null, s_tick);

        _clock.Advance(s_tick);

        Assert.Equal(["zero 0", "peer", "zero 2", "zero 3", "zero 4"], fired);
    }

    [Fact]
    public void Advance_InsideCallbacks_FiresAllOnceInOrder()
    {
        var fired = new List<int>();
        for (var i = 1; i <= 30; i++)
        {
            var number = i;
            _service.Schedule(
                _ =>
                {
                    fired.Add(number);
                    if (number % 10 == 0)
                    {
                        _clock.Advance(7 * s_tick);
                    }
                },
                null,
                number * s_tick);
        }

        _clock.Advance(21 * s_tick);

        Assert.Equal(Enumerable.Range(1, 30), fired);
        Assert.Equal(0, _service.GetSnapshot().Pending);
    }
}
