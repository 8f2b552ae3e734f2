using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two pool threads run a batch while another thread hands it on once more. Each item runs once, and all workers leave.
/// </summary>
internal sealed class BatchHandedOn : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        var runs = new int[3];
        var batch = dispatcher.Rent();
        for (var i = 0; i < runs.Length; i++)
        {
            var item = i;
            batch.Add(new FiringItem(_ => runs[item]++, null));
        }

        Task? ended = null;
        run.PoolThreads(2);
        run.Run("queues", () =>
        {
            batch.Queue(now: 0);
            batch.HandOn(now: 0);
            ended = dispatcher.WaitForOthersAsync();
            run.WaitUntil(() => ended.IsCompleted, "end of all callbacks");
            Interleaving.Require(
                runs.All(static count => count == 1), $"The items have run {string.Join(", ", runs)} times.");
        });
        run.Check(
            () => Interleaving.Require(dispatcher.Fired == runs.Length, $"{dispatcher.Fired} firings are counted."));
    }
}
