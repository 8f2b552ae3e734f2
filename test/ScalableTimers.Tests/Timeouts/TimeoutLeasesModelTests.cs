using ScalableTimers.Tests.Clock;

namespace ScalableTimers.Tests.Timeouts;

/// <summary>
/// Compares leases with a list of what each tenant should have seen: deadlines, callers' tokens, ends, and leases that
/// are ended again and again.
/// </summary>
public class TimeoutLeasesModelTests
{
    private static readonly long s_tick = TimeSpan.FromMilliseconds(10).Ticks;

    // Calibrated by three changes to LeasedTimeout, each of which failed at once: Return keeps the caller's
    // registration (an old caller cancels), Return ends a tenancy that has ended already, and HasTimedOut does not
    // compare the timer.
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void RentTimeout_AnySequence_IsAsTheModel(int seed)
    {
        var random = new Random(seed);
        var clock = new ManualTimeProvider();
        using var service = new TimerService(clock: clock);
        var tenants = new List<Tenant>();
        var ended = new List<Tenant>();
        for (var step = 0; step < 5_000; step++)
        {
            switch (random.Next(10))
            {
                case < 3:
                    tenants.Add(new Tenant(service, clock, random));
                    break;
                case < 6 when tenants.Count > 0:
                    var leaver = tenants[random.Next(tenants.Count)];
                    tenants.Remove(leaver);
                    leaver.End();
                    ended.Add(leaver);
                    break;
                case 6 when tenants.Count > 0:
                    tenants[random.Next(tenants.Count)].CancelByCaller();
                    break;
                case 7 when ended.Count > 0:
                    // Neither an old copy of the struct nor an old caller reaches the present tenant of the source.
                    var former = ended[random.Next(ended.Count)];
                    former.End();
                    former.CancelByCaller();
                    break;
                default:
                    clock.Advance(TimeSpan.FromTicks(random.NextInt64(3 * TimeSpan.TicksPerSecond)));
                    break;
            }

            tenants.ForEach(tenant => tenant.AssertIsAsExpected($"step {step}, seed {seed}"));
            Assert.True(
                ended.TrueForAll(static tenant => tenant.IsAsAtItsEnd),
                $"A tenant that has left was told of a later one's end, step {step}, seed {seed}.");
            Assert.Equal(tenants.Count, tenants.Select(static tenant => tenant.Token).Distinct().Count());
        }

        // The timer of an idle source fires once more without effect, and then no more.
        tenants.ForEach(static tenant => tenant.End());
        clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal((0L, 0), (service.GetSnapshot().Pending, clock.ArmedTimers));
    }

    /// <summary>One lease, and its expected outcome.</summary>
    private sealed class Tenant
    {
        private readonly ManualTimeProvider _clock;
        private readonly CancellationTokenSource? _caller;
        private readonly TimeoutLease _lease;
        private readonly long _endsAt;
        private bool _isCancelledByCaller;
        private (int Calls, bool HasTimedOut) _atItsEnd;

        internal Tenant(TimerService service, ManualTimeProvider clock, Random random)
        {
            _clock = clock;
            _caller = random.Next(2) == 0 ? new CancellationTokenSource() : null;
            var timeout = TimeSpan.FromTicks(1 + random.NextInt64(10 * TimeSpan.TicksPerSecond));
            _endsAt = ((clock.Elapsed + timeout).Ticks + s_tick - 1) / s_tick * s_tick;
            _lease = service.RentTimeout(timeout, _caller?.Token ?? default);
            _lease.Token.UnsafeRegister(static tenant => ((Tenant)tenant!).Calls++, this);
        }

        internal CancellationToken Token => _lease.Token;

        internal int Calls { get; private set; }

        internal bool IsAsAtItsEnd => (Calls, _lease.HasTimedOut) == _atItsEnd;

        private bool HasBeenCancelled => _isCancelledByCaller || HasTimedOut;

        private bool HasTimedOut => !_isCancelledByCaller && _clock.Elapsed.Ticks >= _endsAt;

        internal void CancelByCaller()
        {
            if (_caller is not null)
            {
                _isCancelledByCaller |= !HasTimedOut;
                _caller.Cancel();
            }
        }

        internal void End()
        {
            _atItsEnd = (Calls, _lease.HasTimedOut);
            _lease.Dispose();
        }

        internal void AssertIsAsExpected(string when)
        {
            var expected = (HasBeenCancelled, HasTimedOut, HasBeenCancelled ? 1 : 0);
            var actual = (Token.IsCancellationRequested, _lease.HasTimedOut, Calls);
            if (expected != actual)
            {
                Assert.Fail(
                    $"Cancelled, timed out, calls: {actual} in place of {expected}, at {_clock.Elapsed}, {when}.");
            }
        }
    }
}
