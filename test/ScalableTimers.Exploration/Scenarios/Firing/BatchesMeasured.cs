using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two batches, or the same one twice, are filled and run while somebody listens. Each sample is the lateness of the
/// timer that it is taken of, and comes after that timer has fired.
/// </summary>
internal sealed class BatchesMeasured : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new TickClock(run.Clock, TimeSpan.FromMilliseconds(10));
        var fired = new List<int>();
        var lateness = new Samples(() => fired.Count);
        var waits = new Samples(() => fired.Count);
        var dispatcher = new FiringDispatcher(clock, NullLogger.Instance) { Lateness = lateness, PoolWait = waits };
        run.Run("queues", () =>
        {
            // Deadlines of 4 and 3 ticks ago, and of 2 and 1.
            run.Clock.PassTo(clock.TimestampAt(5));
            for (var life = 1; life <= 2; life++)
            {
                var batch = dispatcher.Rent();
                var (first, second) = (10 * life, (10 * life) + 1);
                batch.Add(new FiringItem(_ => fired.Add(first), null), deadlineTick: (2 * life) - 1);
                batch.Add(new FiringItem(_ => fired.Add(second), null), deadlineTick: 2 * life);
                batch.Queue(run.Clock.Now);
            }
        });
        run.PoolThreads(2);
        run.Check(() =>
        {
            Interleaving.Require(fired.Order().SequenceEqual([10, 11, 20, 21]), $"Fired: {string.Join(", ", fired)}.");
            double[] late = [.. lateness.All.Select(static sample => sample.Seconds).Order()];
            Interleaving.Require(
                late.Length == 2
                    && (late[0] == Ticks(1) || late[0] == Ticks(2)) && (late[1] == Ticks(3) || late[1] == Ticks(4)),
                $"Lateness: {string.Join(", ", lateness.All)}.");
            Interleaving.Require(
                waits.All.Count is >= 2 and <= 4 && waits.All.All(static sample => sample.Seconds == 0),
                $"Waits: {string.Join(", ", waits.All)}.");
            Interleaving.Require(
                lateness.All.Concat(waits.All).All(static sample => sample.Fired > 0), "A listener came first.");
        });

        double Ticks(int count) => clock.ToSeconds(clock.TimestampAt(count));
    }

    private sealed class Samples(Func<int> fired) : IDurationHistogram
    {
        private readonly List<(double Seconds, int Fired)> _all = [];

        public bool IsWanted => true;

        internal List<(double Seconds, int Fired)> All => _all;

        public void Record(double seconds) => _all.Add((seconds, fired()));
    }
}
