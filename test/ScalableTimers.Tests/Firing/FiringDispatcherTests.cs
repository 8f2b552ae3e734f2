using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Testing;
using ScalableTimers.Clock;
using ScalableTimers.Firing;
using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Firing;

public class FiringDispatcherTests
{
    private readonly HandClock _source = new();
    private readonly FakeLogger<TimerService> _logger = new();
    private readonly FiringDispatcher _dispatcher;

    public FiringDispatcherTests() =>
        _dispatcher = NewDispatcher();

    [Fact]
    public void FireHere_CallbackSetsAsyncLocalSuppressesFlowAndThrows_NothingReachesTheNext() => Wait.ForThread(() =>
    {
        var local = new AsyncLocal<string?>();

        FireHere(new FiringItem(
            _ =>
            {
                local.Value = "leaked";
                ExecutionContext.SuppressFlow();
                throw new InvalidOperationException("Thrown by the callback.");
            },
            null));

        Assert.Equal((null, false), (local.Value, ExecutionContext.IsFlowSuppressed()));
    });

    [Fact]
    public void WaitForOthers_InAnotherDispatchersCallback_WaitsForAll()
    {
        var other = NewDispatcher();
        Task? waiting = null;
        _dispatcher.Workers.Add();

        FireHere(new FiringItem(_ => waiting = _dispatcher.Workers.WaitForOthersAsync(), null), other);

        Assert.False(waiting!.IsCompleted);
        EndAdded(_dispatcher);
    }

    // Seen to fail when only the innermost worker of the stack is ended: the callback waited for the outer callbacks of
    // its own dispatcher, inside which it runs.
    [Theory]
    [InlineData("a")]
    [InlineData("aa")]
    [InlineData("ab")]
    [InlineData("aba")]
    [InlineData("abcba")]
    public void WaitForOthers_InsideNestedCallbacks_SkipsTheEnclosingOnes(string nested)
    {
        var all = nested.Distinct().ToDictionary(
            static name => name,
            _ => NewDispatcher());
        var first = all['a'];
        Task? waiting = null;
        bool? wasCompleted = null, isCompletedBeforeTheFirstEnds = null;
        first.Workers.Add();

        Nest(0);

        Assert.Equal(
            (false, true, 0L), (wasCompleted, isCompletedBeforeTheFirstEnds, all.Values.Sum(static one => one.Failed)));

        void Nest(int level) => FireHere(
            new FiringItem(
                _ =>
                {
                    if (level + 1 < nested.Length)
                    {
                        Nest(level + 1);
                    }
                    else
                    {
                        waiting = first.Workers.WaitForOthersAsync();
                        wasCompleted = waiting.IsCompleted;
                        EndAdded(first);
                    }

                    isCompletedBeforeTheFirstEnds ??= waiting!.IsCompleted;
                },
                null),
            all[nested[level]]);
    }

    [Fact]
    public async Task WaitForOthers_TheAskingCallbackEndsFirst_StillWaitsForTheOthers()
    {
        // The callback is asynchronous: it begins to wait, returns to the pool at its first await, and another callback
        // keeps running.
        Task? waiting = null;
        _dispatcher.Workers.Add();
        FireHere(new FiringItem(_ => waiting = _dispatcher.Workers.WaitForOthersAsync(), null));

        Assert.False(waiting!.IsCompleted, "Another callback still runs.");
        EndAdded(_dispatcher);

        await Wait.For(waiting, "the wait for callbacks");
    }

    [Theory]
    [InlineData(499, 0)]
    [InlineData(500, 1)]
    public void PoolWait_HalfASecondOrLonger_CountsAndWarns(int milliseconds, int warnings)
    {
        _source.Skip(TimeSpan.FromMilliseconds(milliseconds));

        Report(queuedAt: default, count: 7);

        Assert.Equal((7L * warnings, warnings), (_dispatcher.Watch.Late, _logger.Collector.Count));
        Assert.All(
            _logger.Collector.GetSnapshot(),
            static entry => Assert.Equal((LogLevel.Warning, 2), (entry.Level, entry.Id.Id)));
    }

    [Fact]
    public void PoolWait_AgainAndAgain_CountsAllAndWarnsEveryTenSeconds()
    {
        for (var i = 0; i < 40; i++)
        {
            _source.Skip(TimeSpan.FromMilliseconds(500));
            Report(new Timestamp(_source.Timestamp - (TimeSpan.TicksPerSecond / 2)), count: 1);
        }

        Assert.Equal(40, _dispatcher.Watch.Late);
        Assert.Equal(2, _logger.Collector.Count);
    }

    // Seen to fail with a closure for the warning in the method that checks the wait: 48 bytes per worker.
    [Fact]
    public void PoolWait_Short_AllocatesNothing() =>
        Assert.Equal(0, Allocations.Least(() => Report(new Timestamp(_source.Timestamp), count: 1)));

    // Ends a worker on another thread.
    private static void EndAdded(FiringDispatcher dispatcher)
    {
        dispatcher.Workers.Enter();
        dispatcher.Workers.End();
    }

    // As the driver does in virtual time.
    private FiringDispatcher NewDispatcher() =>
        new(new TickClock(_source, TimeSpan.FromMilliseconds(10)), _logger, CallbackExceptions.Log);

    private void FireHere(FiringItem item, FiringDispatcher? dispatcher = null)
    {
        dispatcher ??= _dispatcher;
        dispatcher.Workers.Begin();
        dispatcher.FireHere(item, deadlineTick: 0);
        dispatcher.Workers.End();
    }

    private void Report(Timestamp queuedAt, int count)
    {
        var now = _dispatcher.Clock.Now();
        if (_dispatcher.Watch.IsLong(now - queuedAt))
        {
            _dispatcher.Watch.AddLate(count, now, now - queuedAt);
        }
    }
}
