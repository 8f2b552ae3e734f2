using ScalableTimers.Tests.Clock;
using ScalableTimers.Queues;
using ScalableTimers.Tests.Queues;
using ScalableTimers.Timers;
using ScalableTimers.Wheel;

namespace ScalableTimers.Tests.Timers;

/// <summary>
/// Delays begun, cancelled, read and dropped in any order end when a simple model says so, wherever their entries are.
/// </summary>
public class DelayModelTests
{
    private const int LeftLinked = 64;

    // Seen to fail, with every seed, when a cancelled delay stays linked until its result is read: too many are linked.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void AnySequenceOfOperations_MatchesTheModel(int seed)
    {
        using var service = Services.OnThePool(new ManualTimeProvider());
        var run = new Run(service.CurrentQueue(), new Random(seed));
        for (var step = 0; step < 20_000; step++)
        {
            run.Step();
            Assert.True(run.Fault is null, $"seed {seed}, step {step}: {run.Fault}");
        }

        run.Finish();
        Assert.Equal(0, service.GetSnapshot().Pending);
    }

    private sealed class Run(TimerQueue queue, Random random)
    {
        private readonly List<Begun> _delays = [];
        private long _now;

        internal string? Fault { get; private set; }

        internal void Step()
        {
            switch (random.Next(10))
            {
                case < 4:
                    Begin();
                    break;
                case < 7 when _delays.Count > 0:
                    Pick().Cancel(elsewhere: random.Next(200) == 0);
                    break;
                case < 9 when _delays.Count > 0:
                    // The delay is read at once, read later, or dropped.
                    var delay = Pick();
                    if (delay.HasEnded(_now))
                    {
                        Fault ??= delay.Verify(_now) ?? (random.Next(20) == 0 ? null : delay.Read());
                        _delays.Remove(delay);
                    }

                    break;
                default:
                    Advance(random.Next(20) == 0 ? 200 : random.Next(8));
                    break;
            }

            Fault ??= _delays.Select(delay => delay.Verify(_now)).FirstOrDefault(static fault => fault is not null);
            var pending = _delays.Count(delay => !delay.HasEnded(_now));
            var linked = TimerQueueTests.Linked(queue);
            Fault ??= linked >= pending && linked <= pending + LeftLinked
                ? null
                : $"{linked} are linked and {pending} pending.";
        }

        internal void Finish()
        {
            _delays.ForEach(static delay => delay.Cancel(elsewhere: false));
            _delays.ForEach(delay => Assert.Null(delay.Verify(_now)));
        }

        private void Begin()
        {
            var source = new CancellationTokenSource();
            if (random.Next(20) == 0)
            {
                source.Cancel();
            }

            // Most delays go to one slot, as timeouts do. Others go to any slot, or never end.
            var deadlineTick = random.Next(10) switch
            {
                0 => TimerWheel.Never,
                < 6 => _now + 100,
                _ => _now + 1 + random.Next(300),
            };
            var isAwaited = random.Next(2) == 0;
            var entry = DelayEntry.Rent(queue);
            entry.Prepare(DelayOptions.ReportCancellation, scope: null, source.Token);
            entry.Start(DelayOptions.ReportCancellation, deadlineTick, source.Token);
            _delays.Add(new Begun(entry.AsValueTaskOfBool(), source, deadlineTick, isAwaited));
        }

        private void Advance(int ticks)
        {
            _now += ticks;
            foreach (var item in queue.TakeDue(_now))
            {
                item.Fire();
            }
        }

        private Begun Pick() => _delays[random.Next(3) == 0 ? random.Next(_delays.Count) : ^1];
    }

    private sealed class Begun
    {
        private readonly ValueTask<bool> _delay;
        private readonly CancellationTokenSource _source;
        private readonly long _deadlineTick;
        private readonly bool _isAwaited;
        private bool _isCancelled;
        private int _resumed;

        public Begun(ValueTask<bool> delay, CancellationTokenSource source, long deadlineTick, bool isAwaited)
        {
            (_delay, _source, _deadlineTick) = (delay, source, deadlineTick);
            _isCancelled = source.IsCancellationRequested;
            _isAwaited = isAwaited && !_isCancelled;
            if (_isAwaited)
            {
                // The continuation runs inside the call that expires the delay, or on the pool when it is cancelled.
                _delay.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(() => Interlocked.Increment(ref _resumed));
            }
        }

        private bool HasElapsed { get; set; }

        internal bool HasEnded(long now)
        {
            HasElapsed |= !_isCancelled && _deadlineTick <= now;
            return HasElapsed || _isCancelled;
        }

        internal void Cancel(bool elsewhere)
        {
            _isCancelled |= !HasElapsed;
            var resumed = _isAwaited ? 1 : 0;
            if (elsewhere)
            {
                Wait.ForThread(_source.Cancel);
            }
            else
            {
                _source.Cancel();
            }

            Wait.Until(
                () => _delay.IsCompleted && Volatile.Read(ref _resumed) == resumed, "the end of a cancelled delay");
        }

        internal string? Verify(long now) =>
            _delay.IsCompleted != HasEnded(now) ? $"due at {_deadlineTick}, ended is {_delay.IsCompleted} at {now}."
            : _resumed != (
                _isAwaited && HasEnded(now) ? 1 : 0) ? $"due at {_deadlineTick}, resumed {_resumed} times at {now}."
            : null;

        internal string? Read()
        {
            var elapsed = _delay.Read();
            return elapsed == HasElapsed ? null : $"due at {_deadlineTick}, read {elapsed}.";
        }
    }
}
