using ScalableTimers.Exploration.Engine;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>Two threads register and add the same operations, by name and by enum. There is one of each.</summary>
internal sealed class OperationRegisteredTwice : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var statistics = new OperationStatistics();
        var known = new List<Operation>();
        foreach (var name in new[] { "registers", "registers too" })
        {
            run.Run(name, () =>
            {
                known.Add(statistics.Register("operation"));
                statistics.Add(Step.First, TimeSpan.FromMilliseconds(1));
                statistics.Add("operation", TimeSpan.FromMilliseconds(1));
            }, kind: "registers");
        }

        run.Check(() =>
        {
            Interleaving.Require(ReferenceEquals(known[0], known[1]), "An operation was registered twice.");
            var rows = statistics.Snapshot();
            Interleaving.Require(
                rows.Count == 3
                    && rows.Single(static row => row.Operation == "operation").Count == 2
                    && rows.Single(static row => row.Operation == nameof(Step.First)).Count == 2,
                string.Join("; ", rows));
        });
    }

    private enum Step
    {
        First,
        Second,
    }
}
