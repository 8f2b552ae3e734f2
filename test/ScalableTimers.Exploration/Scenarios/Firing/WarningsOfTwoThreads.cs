using Microsoft.Extensions.Logging.Abstractions;
using ScalableTimers.Clock;
using ScalableTimers.Exploration.Engine;
using ScalableTimers.Firing;

namespace ScalableTimers.Exploration.Scenarios;

/// <summary>
/// Two threads find in turn that callbacks wait for the pool, ten seconds after the last warning: each is to warn.
/// </summary>
internal sealed class WarningsOfTwoThreads : Scenario
{
    internal override void Arrange(Interleaving run)
    {
        var clock = new TickClock(run.Clock, TimeSpan.FromMilliseconds(10));
        var dispatcher = new FiringDispatcher(clock, NullLogger.Instance);
        var step = 0;
        run.Run("one", () =>
        {
            Warn(0);
            Warn(2);
        });
        run.Run("other", () => Warn(1));
        run.Check(() => Interleaving.Require(step == 3, $"{step} of three warnings are to be given."));

        void Warn(int number)
        {
            run.WaitUntil(() => step == number, $"warning {number}");
            var now = TimeSpan.FromSeconds(10 * (number + 1)).Ticks;
            Interleaving.Require(dispatcher.AddLate(1, now), $"Warning {number} is not to be given.");
            Interleaving.Require(!dispatcher.AddLate(1, now + 1), $"Warning {number} is to be given twice.");
            step++;
        }
    }
}
