using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two callbacks throw at once while a thread takes snapshots. No failure is lost, and the counts never decrease.
/// </summary>
internal sealed class CallbacksThatThrow : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var dispatcher = new FiringDispatcher(
            new TickClock(run.Clock, TimeSpan.FromMilliseconds(10)), NullLogger.Instance);
        foreach (var name in new[] { "fires", "fires too" })
        {
            run.Run(
                name,
                () =>
                    dispatcher.EnterAndFireHere(
                        new FiringItem(
                            static _ => throw new InvalidOperationException("A callback fails, says the scenario."),
                            null)),
                kind: "fires");
        }

        run.Run("reads", () =>
        {
            var (fired, failed) = (dispatcher.Fired, dispatcher.Failed);
            run.WaitUntil(() => run.HasEnded("fires") && run.HasEnded("fires too"), "end of the callbacks");
            Interleaving.Require(fired <= 2 && failed <= 2, "More have fired than there are.");
            Interleaving.Require(
                dispatcher is { Fired: 2, Failed: 2 },
                $"{dispatcher.Fired} have fired and {dispatcher.Failed} failed, of two.");
        });
    }
}
